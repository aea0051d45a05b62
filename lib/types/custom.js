'use strict'

const createBodyParser = require('../compose')
const read = require('../read')

/** @type {import('../..').BodyParser['createParser']} */
module.exports = function createParser (options) { // see index.d.ts
  const parser = createBodyParser('custom', options, describe)
  return parser.decorate(function customParser (req, res, next) {
    read(req, res, next, parser)
  })
}

const describe = ({ charset, parse }) => ({
  input: charset === false ? 'bytes' : 'text',
  charsets: charset === false ? null : { allows: () => true, fallback: charset },
  parse: (content, charset, req, context) => parse(content, { charset, req, get signal () { return context.signal } }),
  isAsync: true
})
