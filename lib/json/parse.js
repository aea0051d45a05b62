'use strict'

const { createParse: createEngineParse } = require('../platform/json')
const { opensContainer } = require('./strict')
const { withMessage } = require('./syntax-error')

/** What a parser of JSON is; see ../core/middleware.js. */
function describeJson ({ defaultCharset, reviver, strict }) {
  const parse = createEngineParse()
  return {
    charsets: { allows: isUnicode, fallback: defaultCharset },
    parse: createParse(reviver === undefined ? parse : (text) => parse(text, reviver)),
    describe: (text) => text === '' ? null : !strict || opensContainer(text) ? 'parse json' : 'strict violation'
  }
}

/** RFC 8259 names UTF-8 alone; body-parser has always accepted the other Unicode charsets. */
const isUnicode = (charset) => charset.startsWith('utf-')

/**
 * @param {(text: string) => unknown} parse
 * @returns {(text: string) => unknown} throws the engine's SyntaxError, or what the reviver throws
 */
function createParse (parse) {
  return (text) => {
    if (text === '') return {}
    try {
      return parse(text)
    } catch (error) {
      throw withMessage(error, error.message)
    }
  }
}

module.exports = { createParse, describeJson }
