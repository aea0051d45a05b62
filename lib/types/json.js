'use strict'

const { createMiddleware } = require('../core/middleware')
const { describeJson } = require('../json/parse')

/** @type {import('../..').BodyParser['json']} */
module.exports = function json (options) { // see index.d.ts; console.log(json()) shows the defaults
  return createMiddleware('json', options, describeJson)
}
