'use strict'

const { createParser, wrap } = require('../core/middleware')
const { readCommon } = require('../core/options')
const read = require('../read')

/** @type {import('../..').BodyParser['raw']} */
module.exports = function raw (options) { // see index.d.ts; console.log(raw()) shows the defaults
  const settings = readCommon(options, 'application/octet-stream')
  const parser = createParser({
    name: 'raw',
    input: 'bytes',
    charsets: null,
    parse: (bytes) => bytes
  }, settings)
  return wrap(function rawParser (req, res, next) {
    read(req, res, next, parser)
  }, parser, settings)
}
