'use strict'

const { createParser, wrap } = require('../core/middleware')
const { readCommon, readDefaultCharset } = require('../core/options')
const read = require('../read')

/**
 * Makes a middleware that puts the body into `req.body` as a string.
 *
 * @param {import('../..').OptionsText} [options] see index.d.ts
 * @returns {(req: object, res: object, next: Function) => void}
 * @throws {TypeError} for an option that is wrong
 */
module.exports = function text (options) {
  const settings = readCommon(options, 'text/plain')
  const parser = createParser({
    name: 'text',
    charsets: { allows: () => true, fallback: readDefaultCharset(options) },
    parse: (text) => text,
    describe: () => null
  }, settings)
  return wrap(function textParser (req, res, next) {
    read(req, res, next, parser)
  }, parser, settings)
}
