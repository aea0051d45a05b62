'use strict'

const { preload } = require('../core/lazy')
const { createParser, wrap } = require('../core/middleware')
const { readCommon } = require('../core/options')
const { describeJson } = require('../json/parse')
const { loadSyntaxError } = require('../json/strict')
const read = require('../read')

/** @type {import('../..').BodyParser['json']} */
module.exports = function json (options) { // see index.d.ts; console.log(json()) shows the defaults
  const settings = readCommon(options, 'application/json')
  let descriptor = { name: 'json', ...describeJson(options) }
  if ((options?.cooperative ?? false) !== false) descriptor = require('../extras/cooperative')(descriptor, options)
  const parser = createParser(descriptor, settings)
  preload(loadSyntaxError)
  return wrap(function jsonParser (req, res, next) {
    read(req, res, next, parser)
  }, parser, settings)
}
