'use strict'

const createParser = require('../compose')
const read = require('../read')

/** @type {import('../..').BodyParser['raw']} */
module.exports = function raw (options) { // see index.d.ts; console.log(raw()) shows the defaults
  const parser = createParser('raw', options, describe)
  return parser.decorate(function rawParser (req, res, next) {
    read(req, res, next, parser)
  })
}

const describe = () => ({ charsets: null, input: 'bytes', parse: (bytes) => bytes })
