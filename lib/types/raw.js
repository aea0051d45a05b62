'use strict'

const { createParser, wrap } = require('../core/middleware')
const { readCommon } = require('../core/options')
const read = require('../read')

/**
 * Makes a middleware that puts the bytes of the body into `req.body`.
 *
 * @param {import('../..').OptionsRaw} [options] see index.d.ts
 * @returns {(req: object, res: object, next: Function) => void}
 * @throws {TypeError} for an option that is wrong
 */
module.exports = function raw (options) {
  const settings = readCommon(options, 'application/octet-stream')
  const parser = createParser({
    name: 'raw',
    input: 'bytes',
    charsets: null,
    parse: (bytes) => bytes,
    describe: () => null
  }, settings)
  return wrap(function rawParser (req, res, next) {
    read(req, res, next, parser)
  }, parser, settings)
}
