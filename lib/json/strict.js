'use strict'

// The option `strict`: a JSON text must be an array or an object.

const { unusedCharacter, withMessage } = require('./syntax-error')

const OPEN_BRACKET = 0x5B
const OPEN_BRACE = 0x7B
const NOT_BLANK = /[^ \n\r\t]/

/** Index of the first character that is not JSON's white space. */
function skipBlanks (text) {
  const index = text.search(NOT_BLANK) // faster than a loop over a megabyte of blanks
  return index === -1 ? text.length : index
}

const opensAt = (text, index) => text.charCodeAt(index) === OPEN_BRACE || text.charCodeAt(index) === OPEN_BRACKET
const opensContainer = (text) => opensAt(text, 0) || opensAt(text, skipBlanks(text))

/** Throws the engine's error for a text that is not blank and no array or object. */
function assertContainer (text) {
  if (opensAt(text, 0)) return
  const index = skipBlanks(text)
  if (!opensAt(text, index)) rejectToken(text, index)
}

const CONTEXT = 64 // characters; more than engines quote in a message

/**
 * Throws the engine's own error for the first token of a text that JSON.parse
 * might accept: parses the text with an unused character in place of that
 * token, and puts the token back into the message.
 */
function rejectToken (text, index) {
  if (index === text.length) return // empty or blank: let JSON.parse report it
  const standIn = unusedCharacter(text.slice(index, index + CONTEXT))
  try {
    JSON.parse(text.slice(0, index) + standIn + text.slice(index + 1))
  } catch (error) {
    throw withMessage(error, error.message.replaceAll(standIn, () => text[index]))
  }
}

/** Changes a parser that is being composed. */
module.exports = function extendParser (parser) {
  const { parse } = parser
  return {
    ...parser,
    parse (text, charset, req, source) {
      assertContainer(text)
      return parse(text, charset, req, source)
    }
  }
}

Object.assign(module.exports, { assertContainer, opensContainer, skipBlanks })
