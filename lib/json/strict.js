'use strict'

// The option `strict`: a JSON text must be an array or an object.

const { lazy } = require('../core/lazy')

const loadSyntaxError = lazy(() => require('./syntax-error'))

const TAB = 0x09
const LF = 0x0A
const CR = 0x0D
const SPACE = 0x20
const OPEN_BRACKET = 0x5B
const OPEN_BRACE = 0x7B

/** Index of the first character that is not JSON's white space. */
function skipBlanks (text) {
  let index = 0
  for (; index < text.length; index++) {
    const code = text.charCodeAt(index)
    if (code !== SPACE && code !== LF && code !== CR && code !== TAB) break
  }
  return index
}

function opensContainer (text) {
  const first = text.charCodeAt(0)
  if (first === OPEN_BRACE || first === OPEN_BRACKET) return true
  const code = text.charCodeAt(skipBlanks(text))
  return code === OPEN_BRACE || code === OPEN_BRACKET
}

const CONTEXT = 64 // characters; more than engines quote in a message

/**
 * Throws the engine's own error for the first token of a text that JSON.parse
 * might accept: parses the text with an unused character in place of that
 * token, and puts the token back into the message.
 */
function rejectToken (text) {
  const index = skipBlanks(text)
  if (index === text.length) return // empty or blank: let JSON.parse report it
  const { unusedCharacter, withMessage } = loadSyntaxError()
  const standIn = unusedCharacter(text.slice(index, index + CONTEXT))
  try {
    JSON.parse(text.slice(0, index) + standIn + text.slice(index + 1))
  } catch (error) {
    throw withMessage(error, error.message.replaceAll(standIn, () => text[index]))
  }
}

module.exports = { loadSyntaxError, opensContainer, rejectToken, skipBlanks }
