'use strict'

const createParser = require('../compose')
const { createFormParse } = require('../urlencoded/flat')
const { describeForm } = require('../urlencoded/describe')
const read = require('../read')

/** @type {import('../..').BodyParser['urlencoded']} */
module.exports = function urlencoded (options) { // see index.d.ts; console.log(urlencoded()) shows the defaults
  const parser = createParser('urlencoded', options, (settings) => describeForm(settings, createFormParse))
  return parser.wrap(function urlencodedParser (req, res, next) {
    read(req, res, next, parser)
  })
}
