'use strict'

const { readCommon, readDefaultCharset } = require('../options')
const createReader = require('../read')

/**
 * Makes a middleware that parses JSON (RFC 8259) into `req.body`.
 *
 * @param {object} [options]
 * @param {number | string} [options.limit='100kb'] most bytes, decoded
 * @param {number | string} [options.drainLimit='64mb'] most bytes to read off
 *   after an error in reading
 * @param {boolean} [options.inflate=true] accept content codings
 * @param {boolean} [options.strict=true] accept objects and arrays only
 * @param {Function} [options.reviver] second argument of JSON.parse
 * @param {string | string[] | Function} [options.type='application/json']
 * @param {Function} [options.verify] (req, res, bytes, charset); throws, or
 *   returns a promise that is rejected, to answer 403
 * @param {string} [options.defaultCharset='utf-8']
 * @returns {(req: object, res: object, next: Function) => void}
 * @throws {TypeError} for an option that is wrong
 */
module.exports = function json (options) {
  const settings = readCommon(options, 'application/json')
  const charsets = { allows: isUnicode, fallback: readDefaultCharset(options) }
  const reviver = options?.reviver
  const parse = typeof reviver === 'function'
    ? (text) => JSON.parse(text, reviver)
    : (text) => JSON.parse(text)
  const strict = options?.strict !== false

  const read = createReader({
    name: 'json',
    settings,
    charsets,
    parse: strict ? strictParser(parse) : lenientParser(parse),
    label: strict ? labelStrict : labelLenient
  })

  return function jsonParser (req, res, next) {
    read(req, res, next)
  }
}

/** RFC 8259 names UTF-8 alone; body-parser has always taken its siblings. */
function isUnicode (charset) {
  return charset.startsWith('utf-')
}

function lenientParser (parse) {
  return (text) => {
    if (text === '') return {}
    try {
      return parse(text)
    } catch (error) {
      throw restate(error, error.message)
    }
  }
}

function strictParser (parse) {
  const parseLenient = lenientParser(parse)
  return (text) => {
    if (!opensContainer(text)) rejectToken(text)
    return parseLenient(text)
  }
}

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

/**
 * Throws the engine's own error for the first token of a text that JSON.parse
 * might accept: it parses the text with a stand-in for that token, which JSON
 * knows nowhere, and puts the token back into the message.
 */
function rejectToken (text) {
  const index = skipBlanks(text)
  if (index === text.length) return // empty, or blank: JSON.parse has the word
  const standIn = absentFrom(text.slice(index, index + CONTEXT))
  try {
    JSON.parse(text.slice(0, index) + standIn + text.slice(index + 1))
  } catch (error) {
    throw restate(error, error.message.replaceAll(standIn, () => text[index]))
  }
}

const CONTEXT = 64 // characters; more than engines quote in a message

/** A lone surrogate, which decoded text can hardly contain. */
function absentFrom (text) {
  let code = 0xDFFF
  while (text.includes(String.fromCharCode(code))) code--
  return String.fromCharCode(code)
}

/** The same error with this message, and without further own properties. */
function restate (error, message) {
  const { stack } = error // begins with the name, which may be one of them
  for (const name of Object.getOwnPropertyNames(error)) {
    if (name !== 'stack' && name !== 'message') delete error[name]
  }
  error.stack = stack.replace(error.message, () => message)
  error.message = message
  return error
}

function labelStrict (text) {
  if (text === '') return null
  return opensContainer(text) ? 'parse json' : 'strict violation'
}

function labelLenient (text) {
  return text === '' ? null : 'parse json'
}
