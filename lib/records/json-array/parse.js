'use strict'

const { describeJson } = require('../../formats/json/parse')
const ArraySource = require('./source')

/** What a parser of the items of a JSON array is; see ../../compose.js. */
function describeItems (settings) {
  return {
    ...describeJson(settings),
    charsets: { allows: (charset) => charset === 'utf-8', fallback: 'utf-8' },
    outerLevels: settings.reviver === undefined ? 1 : 0 // items are parsed in an array; each alone for a reviver
  }
}

/** @returns {import('../source').Source} the items of one body */
const createItems = ({ decode }, parser) => new ArraySource(decode, parser)

module.exports = { createItems, describeItems }
