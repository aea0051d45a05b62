'use strict'

const createParser = require('../compose')
const { describeForm } = require('../formats/urlencoded/describe')
const read = require('../read')

/** @type {import('../..').BodyParser['urlencoded']} */
module.exports = function urlencoded (options) { // see index.d.ts; console.log(urlencoded()) shows the defaults
  const parser = createParser('urlencoded', options, describeForm)
  return parser.decorate(function urlencodedParser (req, res, next) {
    read(req, res, next, parser)
  })
}
