'use strict'

const { stackOf } = require('../core/compat')

/**
 * A character that the text lacks, and that no token begins with; if possible
 * one that leaves a text of one-byte characters as it is in memory. Not a lone
 * surrogate, which Deno 2.9 replaces in stacks.
 */
function unusedCharacter (text) {
  let code = 0x9F
  while (text.includes(String.fromCharCode(code))) code = code === 0x7F ? 0xFFFF : code - 1
  return String.fromCharCode(code)
}

/** The same error with this message, and without further own properties, as body-parser passes it on. */
function withMessage (error, message) {
  const stack = stackOf(error) // begins with the name, which may be an own property
  for (const name of Object.getOwnPropertyNames(error)) {
    if (name !== 'stack' && name !== 'message') delete error[name]
  }
  error.stack = stack.replace(error.message, () => message)
  error.message = message
  return error
}

module.exports = { unusedCharacter, withMessage }
