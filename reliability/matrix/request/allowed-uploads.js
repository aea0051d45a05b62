'use strict'

// Where the outcome of an upload may differ from multer's, with the reason: as in
// ./allowed-differences.js, which has those of body-parser.

const { isDeepStrictEqual } = require('node:util')

const ENDING = /destroy|stream\.close|session|socket\.end|client (?:ends|leaves|resets)/
const ENDED = ['Request aborted', 'Request closed', 'ECONNRESET', 'OF_THE_ACT']

const isEnded = ([result]) => ENDED.includes(result)
const isRead = ([result]) => !ENDED.includes(result)

/** @type {Record<string, (cell: import('./cells').Cell, seen: object, expected: object) => boolean>} */
const RULES = {
  /**
   * A request that ends early is 'Request aborted' here, whatever ended it, and
   * `next` waits until it is closed, so that no response can follow; multer tells
   * 'close' from 'aborted', and calls `next` within some of these events.
   */
  'requests that end early': (cell, seen, expected) => isEnded(seen.calls) && isEnded(expected.calls),

  /** What has arrived whole is read; multer takes an event behind the last byte for the end of the request. */
  'forms that have arrived': ({ step }, seen, expected) =>
    /^on (end|chunk 4)/.test(step) && isRead(seen.calls) && isEnded(expected.calls),

  /** `next` is called within 'end' here, and so before what comes behind it; multer calls it later. */
  'next within the end': ({ step }, seen, expected) =>
    /^on (end|chunk 4)/.test(step) && seen.calls[0] === expected.calls[0],

  /** multer reads by `pipe`, so that other code that unpipes makes it wait until the client leaves. */
  'requests that are unpiped': ({ act }, seen, expected) =>
    act === 'req.unpipe()' && isRead(seen.calls) && seen.isEarly && !expected.isEarly,

  /** Text in place of bytes is refused, as by all parsers of this package; multer makes bytes of it as UTF-8. */
  'requests with an encoding': ({ act, step }, { calls: [result] }) =>
    act === 'req.setEncoding()' && step === 'before the parser' && result === 'stream encoding should not be set',

  /** A listener that throws keeps later ones from a chunk; multer parses what is left. */
  'chunks that are lost': ({ act, step }, { calls: [result] }) =>
    act === 'throw' && step.startsWith('on chunk') && result === 'request size did not match content length',

  /** multer leaves its listener for errors on the request. */
  'errors after next': ({ act, step }, seen, expected) =>
    act === "req.emit('error')" && step === 'in next' && seen.calls[0] === expected.calls[0],

  /** Of a connection that ends, one may read what has arrived, or respond in time, and the other not. */
  'connections that end': ({ act }, seen, expected) => {
    const isSame = isDeepStrictEqual(seen.calls, expected.calls)
    return ENDING.test(act) && (isSame || isEnded(seen.calls) !== isEnded(expected.calls))
  },

  /** A request that other code pauses goes on when a file takes bytes again, which depends on time. */
  'requests that are paused': ({ act, lane }, seen, expected) =>
    act === 'req.pause()' && lane.startsWith('multer disk') && seen.isEarly !== expected.isEarly,

  /** While it reads off the rest after an error, this package resumes a request that is paused. */
  'draining is resumed': ({ act, lane }, seen, expected) =>
    act === 'req.pause()' && lane.includes('refused') && seen.isEarly && !expected.isEarly,

  /** multer does not take a 'close' that other code emits for the end once the form is complete. */
  "'close' of the request": ({ act }, { calls: [result] }) => act === "req.emit('close')" &&
  result === 'Request aborted'
}

/** Whether a rule allows the difference. */
module.exports = (...seen) => Object.values(RULES).some((allows) => allows(...seen))
