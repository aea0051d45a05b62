'use strict'

const { createParser, wrap } = require('../core/middleware')
const { readCommon, readDefaultCharset } = require('../core/options')
const read = require('../read')

/** @type {import('../..').BodyParser['text']} */
module.exports = function text (options) { // see index.d.ts; console.log(text()) shows the defaults
  const settings = readCommon(options, 'text/plain')
  const parser = createParser({
    name: 'text',
    charsets: { allows: () => true, fallback: readDefaultCharset(options) },
    parse: (text) => text
  }, settings)
  return wrap(function textParser (req, res, next) {
    read(req, res, next, parser)
  }, parser, settings)
}
