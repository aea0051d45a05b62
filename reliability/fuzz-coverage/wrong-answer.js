'use strict'

const { inspect, isDeepStrictEqual } = require('node:util')

/** What a target throws for a wrong result. */
class WrongAnswer extends Error {
  name = 'WrongAnswer'
}

/**
 * @param {unknown} ours
 * @param {unknown} theirs must be equal, with the same prototypes and the same
 *   order of names
 * @param {() => string} about what was run
 */
function mustEqual (ours, theirs, about) {
  if (isDeepStrictEqual(ours, theirs) && orderOf(ours) === orderOf(theirs)) return
  throw new WrongAnswer(`${about()}\nours:   ${show(ours)}\ntheirs: ${show(theirs)}`)
}

/** Without fields that are not enumerable, such as those of errors. */
function orderOf (value) {
  return JSON.stringify(value)
}

function show (value) {
  return inspect(value, { depth: 8, breakLength: 200, maxStringLength: 500 })
}

module.exports = { mustEqual, WrongAnswer }
