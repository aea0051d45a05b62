'use strict'

const { createMiddleware } = require('../core/middleware')

/** @type {import('../..').BodyParser['text']} */
module.exports = function text (options) { // see index.d.ts; console.log(text()) shows the defaults
  return createMiddleware('text', options, ({ defaultCharset }) => ({
    charsets: { allows: () => true, fallback: defaultCharset },
    parse: (text) => text
  }))
}
