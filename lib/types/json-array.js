'use strict'

// Nothing of ../records is loaded before a parser is made.

const createParser = require('../compose')

/** @type {import('../..').BodyParser['jsonArray']} */
module.exports = function jsonArray (options) { // see index.d.ts; console.log(jsonArray()) shows the defaults
  const parser = createParser('jsonArray', options, describe)
  const { readRecords } = require('../records/describe')
  return parser.decorate(function jsonArrayParser (req, res, next) {
    readRecords(req, res, next, parser)
  })
}

function describe (settings) {
  const { createItems, describeItems } = require('../records/json-array/array-items')
  const { describeLoop } = require('../records/describe')
  const createFinder = (req, parser, decode) => createItems({ decode }, parser)
  return { ...describeItems(settings), ...describeLoop(settings, createFinder) }
}
