'use strict'

// The SyntaxError of JSON.parse for a text of which the part before the fault is not held any more.

const { CONTEXT, QUOTED_WHOLE, correctPosition } = require('./preceding-text')

const PADDING = ' '.repeat(QUOTED_WHOLE)

/** Bytes behind a fault of which a message may tell: up to three are a UTF-16 code unit, and the last may be cut. */
const BYTES_BEHIND = QUOTED_WHOLE * 3 + 3

/**
 * @param {import('./grammar').Grammar} grammar that has found the fault
 * @param {import('./preceding-text').PrecedingText} preceding
 * @param {string} behind the text from the fault on, of BYTES_BEHIND bytes at least; or all of it
 * @returns {SyntaxError | null} the one that JSON.parse throws for the whole text; null only if the app has replaced
 *   JSON.parse by a more lenient function
 */
function createFault (grammar, preceding, behind) {
  const { length, tail } = preceding
  if (length < QUOTED_WHOLE) return errorOf(tail + behind)
  const stub = PADDING + grammar.stub
  const error = errorOf(stub + behind)
  if (error === null) return null
  const message = error.message.replace(`..."${stub.slice(-CONTEXT)}`, () => `..."${tail.slice(-CONTEXT)}`)
  return new SyntaxError(correctPosition(message, stub, behind, preceding))
}

/** @returns {SyntaxError | null} null if JSON.parse accepts the text */
function errorOf (text) {
  try {
    JSON.parse(text)
    return null
  } catch (error) {
    return error
  }
}

module.exports = { BYTES_BEHIND, createFault, errorOf }
