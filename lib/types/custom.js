'use strict'

const { createMiddleware } = require('../core/middleware')

/** @type {import('../..').BodyParser['createParser']} */
module.exports = function createParser (options) { // see index.d.ts
  return createMiddleware('custom', options, describe)
}

const describe = ({ charset, parse }) => ({
  input: charset === false ? 'bytes' : 'text',
  charsets: charset === false ? null : { allows: () => true, fallback: charset },
  parse: (content, charset, req, source) => parse(content, { charset, req, get signal () { return source.signal } }),
  isAsync: true
})
