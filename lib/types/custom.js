'use strict'

const { decoderOf } = require('../core/charset')
const middleware = require('../core/middleware')
const { readCommon, readFunction } = require('../core/options')
const read = require('../read')

/** @type {import('../..').BodyParser['createParser']} */
module.exports = function createParser (options) { // see index.d.ts
  if (!isType(options?.type)) throw new TypeError('option type must be a function, or a media type in lower case, a pattern or a known extension name, or a list of these')
  const settings = readCommon(options)
  const parse = readFunction(options, 'parse')
  if (parse === undefined) throw new TypeError('option parse must be a function')
  const charset = options.charset ?? 'utf-8'
  if (charset !== false && !isCharset(charset)) throw new TypeError('option charset must be one that iconv-lite knows, or false for bytes')

  const parser = middleware.createParser({
    name: 'custom',
    input: charset === false ? 'bytes' : 'text',
    charsets: charset === false ? null : { allows: () => true, fallback: charset.toLowerCase() },
    parse: (content, charset, req, source) => parse(content, { charset, req, get signal () { return source.signal } }),
    isAsync: true
  }, settings)
  return middleware.wrap(function customParser (req, res, next) {
    read(req, res, next, parser)
  }, parser, settings)
}

/** Any other value would match no body, or, an empty list, every body. */
function isType (type) {
  if (typeof type === 'function') return true
  const types = Array.isArray(type) ? type : [type]
  return types.length > 0 && Array.from(types).every((item) => typeof item === 'string' && (MEDIA_TYPE.test(item) || isShorthand(item)))
}

/** A media type, or a pattern: an asterisk stands for a whole part, or for what precedes the suffix. */
const MEDIA_TYPE = /^(\*|[a-z0-9][a-z0-9!#$&^_-]*)\/(\*|(\*\+)?[a-z0-9][a-z0-9!#$&^_.+-]*)$/

/** `json`, `+json`: names that type-is knows. */
const isShorthand = (item) => /^\+?[a-z0-9.-]+$/.test(item) && require('type-is').normalize(item) !== false

const isCharset = (charset) => typeof charset === 'string' && decoderOf(charset) !== null
