'use strict'

const { describeJson } = require('../json/parse')

/** What a parser of records is; see ../core/middleware.js. */
module.exports = (settings) => ({
  ...describeJson(settings),
  charsets: { allows: (charset) => charset === 'utf-8', fallback: 'utf-8' }
})
