'use strict'

const createParser = require('../compose')
const { describeJson } = require('../formats/json/parse')
const read = require('../read')

/** @type {import('../..').BodyParser['json']} */
module.exports = function json (options) { // see index.d.ts; console.log(json()) shows the defaults
  const parser = createParser('json', options, describeJson)
  return parser.decorate(function jsonParser (req, res, next) {
    read(req, res, next, parser)
  })
}
