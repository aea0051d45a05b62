'use strict'

const { isGiven, readDefaultCharset } = require('../core/options')
const { createParse: createEngineParse } = require('../platform/json')
const { assertContainer, loadSyntaxError, opensContainer } = require('./strict')

const EXTENSIONS = ['parse', 'depth', 'onProtoPoisoning', 'onConstructorPoisoning']

/** The descriptor of a parser with these options of `json`; see ../core/middleware.js. */
function describeJson (options) {
  const strict = options?.strict !== false
  const isExtended = EXTENSIONS.some((name) => isGiven(options, name))
  const { parse, isAsync } = isExtended ? require('../extras/json-parse')(options) : { parse: createParse(options) }
  const descriptor = {
    charsets: { allows: isUnicode, fallback: readDefaultCharset(options) },
    parse: strict ? createStrictParse(parse) : parse,
    isAsync,
    options: { strict },
    describe: (text) => text === '' ? null : !strict || opensContainer(text) ? 'parse json' : 'strict violation'
  }
  return 'empty' in Object(options) ? require('../extras/empty')(descriptor, options) : descriptor
}

/** RFC 8259 names UTF-8 alone; body-parser has always accepted the other Unicode charsets. */
const isUnicode = (charset) => charset.startsWith('utf-')

function createStrictParse (parse) {
  return (text, charset, req, source) => {
    assertContainer(text)
    return parse(text, charset, req, source)
  }
}

/** @returns {(text: string) => unknown} throws the engine's SyntaxError, or what the reviver throws */
function createParse (options, parseText = engineParse(readReviver(options))) {
  return (text) => {
    if (text === '') return {}
    try {
      return parseText(text)
    } catch (error) {
      throw loadSyntaxError().withMessage(error, error.message)
    }
  }
}

function engineParse (reviver) {
  const parse = createEngineParse()
  return reviver === undefined ? parse : (text) => parse(text, reviver)
}

/** Like JSON.parse, ignores what is not a function. */
function readReviver (options) {
  const reviver = options?.reviver
  return typeof reviver === 'function' ? reviver : undefined
}

module.exports = { createParse, describeJson, readReviver }
