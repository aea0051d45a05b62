'use strict'

// Nothing of ../records is loaded before a parser is made.

const contentType = require('content-type')
const createParser = require('../compose')

/** @type {import('../..').BodyParser['ndjson']} */
module.exports = function ndjson (options) { // see index.d.ts; console.log(ndjson()) shows the defaults
  const parser = createParser('ndjson', options, describe)
  const { readRecords } = require('../records/describe')
  return parser.decorate(function ndjsonParser (req, res, next) {
    readRecords(req, res, next, parser)
  })
}

function describe (settings) {
  const { describeRecords } = require('../formats/json/parse')
  const { createLines } = require('../records/ndjson/line-records')
  const { describeLoop } = require('../records/describe')
  return { ...describeRecords(settings), ...describeLoop(settings, createFinder) }

  function createFinder (req, parser, decode) {
    const field = req.headers['content-type'] || 'application/x-ndjson' // none, of a request without content
    const isSequence = contentType.parse(field).type === 'application/json-seq'
    return createLines({ decode, isSequence }, parser)
  }
}
