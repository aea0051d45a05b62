'use strict'

// Whether JSON.parse takes a text, told without an error that is thrown.

const { FAULT, Grammar } = require('../../json-slices/grammar')

const SHORT = 1000 // characters, of which this takes less time than an error that is thrown
const UNIT = 3 // bytes of UTF-8 at most for a UTF-16 code unit

const encoder = new TextEncoder()

/** Intentionally module-level: the text that is read at once. */
const shared = new Uint8Array(SHORT * UNIT)

/** @param {string} text of at most SHORT characters */
function isJson (text) {
  const { written } = encoder.encodeInto(text, shared)
  const grammar = new Grammar(Infinity)
  grammar.read(shared, 0, written)
  return grammar.event !== FAULT && grammar.isComplete
}

module.exports = { isJson, SHORT }
