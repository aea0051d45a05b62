'use strict'

// Other ways to parse a large body beside other work. Each makes the value of
// all the bytes that a source gives: a request, or any async iterable.

/**
 * @typedef {object} Parser
 * @property {string} name
 * @property {string} [package] that does it; without one it is Node.js alone
 * @property {(source: AsyncIterable<Buffer>) => Promise<any>} parse
 * @property {() => Promise<void>} [close]
 */

/** @type {Record<string, Parser>} */
module.exports = {
  worker: require('./worker'),
  yieldable: require('./yieldable'),
  'stream-json': require('./stream-json'),
  streamparser: require('./streamparser')
}
