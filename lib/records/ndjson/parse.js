'use strict'

const { describeJson } = require('../../formats/json/parse')
const CheckedLines = require('./checked-lines')
const { LineRecords } = require('./line-records')

/** What a parser of records is; see ../../compose.js. */
function describeRecords (settings) {
  return {
    ...describeJson(settings),
    charsets: { allows: (charset) => charset === 'utf-8', fallback: 'utf-8' }
  }
}

/** @returns {import('../source').Source} the lines of one body */
function createLines (format, parser) {
  return parser.settings.onError === 'collect' ? new CheckedLines(format, parser) : new LineRecords(format, parser)
}

module.exports = { createLines, describeRecords }
