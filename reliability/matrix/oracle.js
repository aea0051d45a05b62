'use strict'

// Where body-parser tells what the outcome of a cell is, and where ours may differ.

const { isDeepStrictEqual } = require('node:util')
const lanes = require('./lanes')

/** A rule for each reason, as narrow as possible. @type {Record<string, Function>} */
const RULES = {
  'a request that is paused before the parser is called hangs body-parser until its client leaves':
    ({ act, step }, seen, expected) => act === 'req.pause()' && step === 'before the parser' &&
      expected.call === '400 request.aborted' && !expected.isEarly,

  // Its decoder, which runs in a thread, goes on with what it has; `next` with the same
  // result may also be called earlier or later than that end.
  'body-parser does not notice that a coded request ends early' ({ act, lane }, { call }, expected) {
    if (lanes[lane].coding === null || !/destroy|close|end|reset|leave|emit|error|throw/.test(act)) return false
    return /request\.aborted|ECONNRESET|OF_THE_ACT/.test(call) || call === expected.call
  },

  "body-parser ignores a 'close' that other code emits at the end, or while the rest is read off":
    ({ act }, { call }) => act === "req.emit('close')" && call === '400 request.aborted',

  "body-parser takes the text for 'null' if other code emits a 'close' before its listener of the end":
    ({ act, step }, seen, expected) => act === "req.emit('close')" && step === 'on end, before ours' &&
      expected.call === '400 entity.parse.failed',

  'over HTTP/2, body-parser waits for the client of a request that is destroyed, as its stream goes on':
    ({ act, http }, seen, expected) =>
      http === 2 && act.startsWith('req.destroy') && seen.isEarly && !expected.isEarly,

  'after a listener that throws at the end, how the connection ends varies':
    ({ act, step }, { call }, expected) => act === 'throw' && step === 'on end, before ours' &&
      call === '400 request.aborted' && expected.call === '400 ECONNRESET',

  'a request that is paused is resumed while its rest is read off':
    ({ act }, seen, expected) =>
      act === 'req.pause()' && seen.call === expected.call && seen.isEarly && !expected.isEarly,

  'a small coded body is decoded once it is complete, so a paused one never is':
    ({ act, lane }, { call }) =>
      lane.startsWith('parsing one-shot') && act === 'req.pause()' && call === '400 request.aborted'
}

/** Not of options and ways to call that it lacks, nor over HTTP/2 without a declared length, which it skips. */
exports.hasOracle = function ({ http, lane }) {
  const { guards, isChunked, isGiven, isOwn, isWeb } = lanes[lane]
  return !isGiven && !isOwn && !isWeb && guards === undefined && !(http === 2 && isChunked)
}

/** @returns {string[]} what differs, unless a rule explains it */
exports.differences = function (cell, seen, expected) {
  if (Object.values(RULES).some((allows) => allows(cell, seen, expected))) return []
  return Object.entries(seen)
    .filter(([name, value]) => !isDeepStrictEqual(value, expected[name]))
    .map(([name, value]) => `${name}: ${JSON.stringify(value)}, body-parser ${JSON.stringify(expected[name])}`)
}
