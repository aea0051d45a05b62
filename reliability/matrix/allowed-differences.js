'use strict'

// Where the outcome of a cell may differ from body-parser's, or be missing. A rule for each
// reason, as narrow as possible.

const lanes = require('./lanes')

/**
 * Rules by name, and those by the identifier of the difference in README's list, in its order: test/docs/differences.js
 * compares the lists.
 *
 * @type {Record<string, Record<string, (cell: import('./cells').Cell, seen: object, expected: object) => boolean>>}
 */
const RULES = {
  'paused-requests': {
    'a request that is paused before the parser is called hangs body-parser until its client leaves':
      ({ act, step }, seen, expected) =>
        act === 'req.pause()' && step === 'before the parser' &&
      expected.calls[0] === '400 request.aborted' && !expected.isEarly
  },
  'requests-that-end-early': {
    // Its decoder, which runs in a thread, goes on with what it has; `next` with the same
    // result may also be called earlier or later than that end.
    'body-parser does not notice that a coded request ends early' ({ act, lane }, { calls: [call] }, expected) {
      if (lanes[lane].coding === null || !/destroy|close|end|reset|leave|emit|error|throw/.test(act)) return false
      return /request\.aborted|ECONNRESET|OF_THE_ACT/.test(call) || call === expected.calls[0]
    },
    "body-parser ignores a 'close' that other code emits at the end, or while the rest is read off":
      ({ act }, { calls: [call] }) =>
        act === "req.emit('close')" && call === '400 request.aborted',
    'over HTTP/2, body-parser waits for the client of a request that is destroyed, as its stream goes on':
      ({ act, http }, seen, expected) =>
        http === 2 && act.startsWith('req.destroy') &&
      seen.isEarly && !expected.isEarly,
    'after a listener that throws at the end, how the connection ends varies':
      ({ act, step }, { calls: [call] }, expected) =>
        act === 'throw' && step === 'on end, before ours' &&
      call === '400 request.aborted' && expected.calls[0] === '400 ECONNRESET'
  },
  'draining-after-an-error': {
    'a request that is paused is resumed while its rest is read off': ({ act }, seen, expected) =>
      act === 'req.pause()' && seen.calls[0] === expected.calls[0] &&
      seen.isEarly && !expected.isEarly
  },
  'which-error-and-received': {
    'a small coded body is decoded once it is complete, so a paused one never is':
      ({ act, lane }, { calls: [call] }) =>
        lane.startsWith('parsing one-shot') && act === 'req.pause()' &&
      call === '400 request.aborted'
  }
}

/** The other differences: why no cell meets them. */
const NOT_MET = {
  'what-verify-throws': 'verify throws errors alone',
  'promises-of-verify': 'a verify that returns a promise is not compared',
  'bodies-over-http2': 'a body without a declared length is not compared there',
  'wrong-options': 'all options are right',
  'characters-that-are-cut': 'bodies are ASCII',
  'json-errors-and-long-texts': 'no stack is compared',
  'options-of-this-package': 'a lane that needs them is not compared',
  loading: 'both packages are loaded before the first cell',
  'repairs-of-the-platform': 'no key has an escape, and nothing is in zstd'
}

/** Whether a rule allows the difference. */
function allows (cell, seen, expected) {
  return Object.values(RULES).flatMap(Object.values).some((allows) => allows(cell, seen, expected))
}

/**
 * Requests whose `next` is never called, as with body-parser. Node forgets one
 * of HTTP/1 that is answered before its body has arrived, and emits nothing when
 * the connection closes; a budget or a timeout ends it here. A listener that
 * throws at the end keeps the later ones from being called.
 */
function isLost ({ lane, step, act, http }, { calls }) {
  if (calls.length > 0) return false
  if (act === 'res.end()') return http === 1 && lane === 'parsing body that is not all sent'
  return act === 'throw' && step === 'on end, before ours' && lanes[lane].coding !== null
}

module.exports = { allows, isLost, lists: [RULES], NOT_MET }
