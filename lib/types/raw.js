'use strict'

const { createMiddleware } = require('../core/middleware')

/** @type {import('../..').BodyParser['raw']} */
module.exports = function raw (options) { // see index.d.ts; console.log(raw()) shows the defaults
  return createMiddleware('raw', options, () => ({ charsets: null, input: 'bytes', parse: (bytes) => bytes }))
}
