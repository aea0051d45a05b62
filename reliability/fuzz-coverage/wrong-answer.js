'use strict'

const { inspect, isDeepStrictEqual } = require('node:util')

/** What a target throws when it has found something. */
class WrongAnswer extends Error {
  name = 'WrongAnswer'
}

/**
 * @param {unknown} ours
 * @param {unknown} theirs what it must be, with the same prototypes and the
 *   same order of names
 * @param {() => string} about what was asked
 */
function mustEqual (ours, theirs, about) {
  if (isDeepStrictEqual(ours, theirs) && orderOf(ours) === orderOf(theirs)) return
  throw new WrongAnswer(`${about()}\nours:   ${show(ours)}\ntheirs: ${show(theirs)}`)
}

/** Names of what is not plain, such as an error, are not told. */
function orderOf (value) {
  return JSON.stringify(value)
}

function show (value) {
  return inspect(value, { depth: 8, breakLength: 200, maxStringLength: 500 })
}

module.exports = { mustEqual, WrongAnswer }
