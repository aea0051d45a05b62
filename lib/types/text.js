'use strict'

const createParser = require('../compose')
const read = require('../read')

/** @type {import('../..').BodyParser['text']} */
module.exports = function text (options) { // see index.d.ts; console.log(text()) shows the defaults
  const parser = createParser('text', options, describe)
  return parser.decorate(function textParser (req, res, next) {
    read(req, res, next, parser)
  })
}

const describe = ({ defaultCharset }) => ({
  charsets: { allows: () => true, fallback: defaultCharset },
  parse: (text) => text
})
