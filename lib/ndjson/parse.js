'use strict'

const { describeJson } = require('../json/parse')

/** What a parser of records is; see ../compose.js. */
module.exports = (settings) => ({
  ...describeJson(settings),
  charsets: { allows: (charset) => charset === 'utf-8', fallback: 'utf-8' }
})
