'use strict'

// Nothing of ../json-array is loaded before a parser is made.

const createParser = require('../compose')
const { missingNext } = require('../body/read-promise')
const diagnostics = require('../insight/diagnostics')
const read = require('../read')

/** @type {import('../..').BodyParser['jsonArray']} */
module.exports = function jsonArray (options) { // see index.d.ts; console.log(jsonArray()) shows the defaults
  const parser = createParser('jsonArray', options, describe)
  return parser.wrap(function jsonArrayParser (req, res, next) {
    if (typeof next !== 'function') throw missingNext()
    read(req, res, (...error) => {
      if (error.length === 0) next()
      else diagnostics.publishError('jsonArray', { req, res, next }, error[0])
    }, parser)
  })
}

function describe (settings) {
  const { createItems, describeItems } = require('../json-array/parse')
  const describeLoop = require('../records/describe')
  return { ...describeItems(settings), ...describeLoop((req, parser, decode) => createItems({ decode }, parser)) }
}
