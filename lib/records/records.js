'use strict'

const Loop = require('./loop')

/** Key in `req.body` of a parser of records, of any copy of this package. */
const ARE_RECORDS = Symbol.for('fast-body-parser.records')

/** `req.body` of a parser of records. One loop reads it: the records, or lists of them. */
class Records {
  #loop
  #settings

  /**
   * @param {(listener: Listener) => Chunks} createChunks
   * @param {import('./results').RecordFinder} finder
   * @param {{ validate?: Function, settings: object }} parser `validate`: see ./record-check.js;
   *   `settings`: `max`, `onError`, `maxErrors`, `reviver` and `schema`
   *
   * @typedef {AsyncGenerator<Uint8Array | null, void, number>} Chunks null comes behind the last one
   *
   * @typedef {object} Listener what chunks tell
   * @property {(error: unknown) => void} interrupt the request cannot be read to its end
   * @property {(received: () => number) => void} setCounter gets a function that returns the bytes received so far
   */
  constructor (createChunks, finder, parser) {
    this.#settings = parser.settings
    this.#loop = new Loop(createChunks, finder, parser)
  }

  /**
   * Whether a parser with these settings may have made this. A schema has checked the records of its own parser alone;
   * without one, those of any other parser will do, be it of another copy of this package.
   */
  static areOf (settings, body) {
    if (settings.schema === null) return body?.[ARE_RECORDS] === true
    return Object(body) === body && #settings in body && body.#settings === settings
  }

  get [ARE_RECORDS] () {
    return true
  }

  /** Records that the loop has got, wrong ones included. */
  get count () {
    return this.#loop.results.count
  }

  /** Bytes of the body that have been read for the loop, before content codings are undone. */
  get received () {
    return this.#loop.received()
  }

  /** @param {number} size of each list; the last one may be shorter */
  batches (size) {
    if (!(Number.isInteger(size) && size > 0)) throw new TypeError('batches takes a positive integer')
    return this.#loop.open(size)
  }

  [Symbol.asyncIterator] () {
    return this.#loop.open(null)
  }
}

module.exports = Records
