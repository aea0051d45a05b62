'use strict'

const { preload } = require('../core/lazy')
const { createParser, wrap } = require('../core/middleware')
const { isGiven, readCommon, readDefaultCharset } = require('../core/options')
const { createParse } = require('../json/parse')
const { loadSyntaxError, opensContainer, rejectToken } = require('../json/strict')
const read = require('../read')

const EXTENSIONS = ['parse', 'depth', 'onProtoPoisoning', 'onConstructorPoisoning']

/**
 * Makes a middleware that parses JSON (RFC 8259) into `req.body`.
 *
 * @param {import('../..').OptionsJson} [options] see index.d.ts
 * @returns {(req: object, res: object, next: Function) => void}
 * @throws {TypeError} for an option that is wrong
 */
module.exports = function json (options) {
  const settings = readCommon(options, 'application/json')
  const charsets = { allows: isUnicode, fallback: readDefaultCharset(options) }
  const strict = options?.strict !== false
  const isExtended = EXTENSIONS.some((name) => isGiven(options, name))
  const { parse, isAsync } = isExtended ? require('../extras/json-parse')(options) : { parse: createParse(options), isAsync: false }

  let descriptor = {
    name: 'json',
    charsets,
    parse: strict ? createStrictParse(parse) : parse,
    isAsync,
    describe: (text) => text === '' ? null : !strict || opensContainer(text) ? 'parse json' : 'strict violation'
  }
  if ((options?.cooperative ?? false) !== false) descriptor = require('../extras/cooperative')(descriptor, options)
  const parser = createParser(descriptor, settings)
  return wrap(function jsonParser (req, res, next) {
    read(req, res, next, parser)
  }, parser, settings)
}

/** RFC 8259 names UTF-8 alone; body-parser has always accepted the other Unicode charsets. */
function isUnicode (charset) {
  return charset.startsWith('utf-')
}

function createStrictParse (parse) {
  preload(loadSyntaxError)
  return (text, charset, req) => {
    if (!opensContainer(text)) rejectToken(text)
    return parse(text, charset, req)
  }
}
