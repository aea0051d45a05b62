'use strict'

// Where the outcome of a cell may differ from body-parser's, or be missing. A rule for each
// reason, as narrow as possible.

const allowsUpload = require('./allowed-uploads')
const { lanes } = require('./lanes')

/** @type {Record<string, (cell: import('./cells').Cell, seen: object, expected: object) => boolean>} */
const RULES = {
  /**
   * body-parser does not notice that a coded request ends early; its decoder,
   * which runs in a thread, goes on with what it has. `next` with the same
   * result may also be called earlier or later than that end.
   */
  'coded requests that end early' (cell, seen, expected) {
    const { coding } = lanes[cell.lane]
    if (coding === undefined || !/destroy|close|end|reset|leave|emit|error|throw/.test(cell.act)) return false
    return /request\.aborted|ECONNRESET|OF_THE_ACT/.test(seen.calls[0]) || seen.calls[0] === expected.calls[0]
  },

  /** body-parser does not listen to 'close', so one that other code emits has no effect. */
  "'close' of the request" (cell, seen) {
    return cell.act === "req.emit('close')" && seen.calls[0] === '400 request.aborted'
  },

  /** A small coded body is decoded once it is complete, so a paused one never is. */
  'small coded bodies that are paused' (cell, seen) {
    return cell.lane.startsWith('one-shot') && cell.act === 'req.pause()' && seen.calls[0] === '400 request.aborted'
  },

  /** A request that is paused before the parser is called hangs body-parser until its client leaves. */
  'paused requests' (cell, seen, expected) {
    return cell.act === 'req.pause()' && cell.step === 'before the parser' && expected.calls[0] === '400 request.aborted' && !expected.isEarly
  },

  /** Over HTTP/2 the stream outlives a request that is destroyed; body-parser then waits until the client leaves. */
  'destroyed requests over HTTP/2' (cell, seen, expected) {
    return cell.http === 2 && cell.act.startsWith('req.destroy') && seen.isEarly && !expected.isEarly
  },

  /** After a listener that throws at the end, how the connection ends varies. */
  'listeners that throw at the end' (cell, seen, expected) {
    return cell.act === 'throw' && cell.step === 'on end, before ours' && seen.calls[0] === '400 request.aborted' && expected.calls[0] === '400 ECONNRESET'
  },

  /** While it reads off the rest after an error, this package resumes a request that is paused. */
  'draining is resumed' (cell, seen, expected) {
    return cell.act === 'req.pause()' && seen.calls[0] === expected.calls[0] && seen.isEarly && !expected.isEarly
  }
}

/** @returns {string | undefined} the name of the rule that allows the difference */
function allows (cell, seen, expected) {
  if (lanes[cell.lane].parser === 'multer') return allowsUpload(cell, seen, expected)
  return Object.keys(RULES).find((name) => RULES[name](cell, seen, expected))
}

/**
 * Requests whose `next` is never called, as with body-parser. Node forgets one
 * of HTTP/1 that is answered before its body has arrived, and emits nothing when
 * the connection closes; a budget or a timeout ends it here. A listener that
 * throws at the end keeps the later ones from being called.
 */
function isLost ({ lane, step, act, http }, { calls }) {
  if (calls.length > 0) return false
  if (act === 'res.end()') return http === 1 && lane === 'body that is not all sent'
  return act === 'throw' && step === 'on end, before ours' && lanes[lane].coding !== undefined
}

module.exports = { allows, isLost }
