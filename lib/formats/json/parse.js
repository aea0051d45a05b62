'use strict'

const { stackOf } = require('../../core/platform')
const { createEngineParse } = require('../../json-keys/json')
const {
  BLANKS, CLOSE_BRACE, CLOSE_BRACKET, OPEN_BRACE, OPEN_BRACKET, QUOTE, isEscaped
} = require('../../json-keys/text')

/** What a parser of JSON is; see ../../compose.js. */
function describeJson ({ defaultCharset, reviver, strict }) {
  return {
    charsets: { allows: isUnicode, fallback: defaultCharset },
    parse: createJsonParse(createEngineParse(), reviver),
    traceLine: (text) => text === '' ? null : !strict || opensContainer(text) ? 'parse json' : 'strict violation'
  }
}

/** What a parser of JSON records is: their bytes are divided before they are decoded, which is right in UTF-8 alone. */
function describeRecords (settings) {
  return { ...describeJson(settings), charsets: { allows: (charset) => charset === 'utf-8', fallback: 'utf-8' } }
}

/** RFC 8259 names UTF-8 alone; body-parser has always accepted the other Unicode charsets. */
const isUnicode = (charset) => charset.startsWith('utf-')

/**
 * @param {(text: string, reviver?: Function) => unknown} engineParse JSON.parse, repaired if the engine confuses keys
 * @returns {(text: string) => unknown} an empty text is `{}`; throws the engine's SyntaxError, or what the reviver
 *   throws
 */
function createJsonParse (engineParse, reviver) {
  return (text) => {
    if (text === '') return {}
    try {
      return engineParse(text, reviver)
    } catch (error) {
      throw bareError(error, error.message)
    }
  }
}

const LEADING_BLANKS = new RegExp(`[${BLANKS}]*`, 'y')

/** Index of the first character that is not white space. A client may send a megabyte of it: a loop would be slow. */
function findFirstToken (text) {
  LEADING_BLANKS.lastIndex = 0
  LEADING_BLANKS.test(text)
  return LEADING_BLANKS.lastIndex
}

function opensContainer (text, start = findFirstToken(text)) {
  const first = text.charCodeAt(start)
  return first === OPEN_BRACE || first === OPEN_BRACKET
}

/** Throws the engine's error for a text that is not blank and no array or object. */
function assertContainer (text) {
  const index = findFirstToken(text)
  if (!opensContainer(text, index)) rejectToken(text, index)
}

/**
 * `strict` refuses texts that JSON.parse accepts, such as `5`, with the engine's
 * own error for their first token. As body-parser does: replaces all that begins
 * there by `#`, parses that, and puts the text back into the message.
 */
function rejectToken (text, index) {
  if (index === text.length) return // only blanks: let JSON.parse report it; an empty text is `{}`
  try {
    JSON.parse(text.slice(0, index) + '#'.repeat(text.length - index))
  } catch (error) {
    throw bareError(error, error.message.replace(/#+/g, ({ length }) => text.slice(index, index + length)))
  }
}

/** The same error with this message, and stripped of other own properties, as body-parser passes it on. */
function bareError (error, message) {
  const stack = stackOf(error) // begins with the name, which may be an own property
  for (const name of Object.getOwnPropertyNames(error)) {
    if (name !== 'stack' && name !== 'message') delete error[name]
  }
  error.stack = stack.replace(error.message, () => message)
  error.message = message
  return error
}

/** Option `strict`: a parser that takes arrays and objects alone. */
function requireContainer (parser) {
  return {
    ...parser,
    parse (text, charset, req, context) {
      if (!opensContainer(text, 0)) assertContainer(text) // it skips blanks, which few texts begin with
      return parser.parse(text, charset, req, context)
    }
  }
}

/** Whether arrays and objects nest deeper than that: `1` is 0 deep, `[]` is 1. Leaves syntax errors to JSON.parse. */
function isDeeperThan (text, depth) {
  let level = 0
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index)
    if (code === QUOTE) {
      index = skipString(text, index + 1)
    } else if (code === OPEN_BRACE || code === OPEN_BRACKET) {
      level++
      if (level > depth) return true
    } else if (code === CLOSE_BRACE || code === CLOSE_BRACKET) {
      level--
    }
  }
  return false
}

/** The index of the quote that closes a string, or the length of the text. */
function skipString (text, start) {
  let end = text.indexOf('"', start)
  while (isEscaped(text, end)) end = text.indexOf('"', end + 1)
  return end === -1 ? text.length : end
}

module.exports = {
  assertContainer,
  createJsonParse,
  describeJson,
  describeRecords,
  findFirstToken,
  isDeeperThan,
  opensContainer,
  requireContainer
}
