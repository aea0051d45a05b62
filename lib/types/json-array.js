'use strict'

// Nothing of ../records/json-array is loaded before a parser is made.

const createParser = require('../compose')
const readRecords = require('../records/read')

/** @type {import('../..').BodyParser['jsonArray']} */
module.exports = function jsonArray (options) { // see index.d.ts; console.log(jsonArray()) shows the defaults
  const parser = createParser('jsonArray', options, describe)
  return parser.wrap(function jsonArrayParser (req, res, next) {
    readRecords(req, res, next, parser)
  })
}

function describe (settings) {
  const { createItems, describeItems } = require('../records/json-array/parse')
  const describeLoop = require('../records/describe')
  const createSource = (req, parser, decode) => createItems({ decode }, parser)
  return { ...describeItems(settings), ...describeLoop(settings, createSource) }
}
