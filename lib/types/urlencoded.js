'use strict'

const { createMiddleware } = require('../core/middleware')
const { createFormParse } = require('../form/flat')
const { describeForm } = require('../form/parse')

/** @type {import('../..').BodyParser['urlencoded']} */
module.exports = function urlencoded (options) { // see index.d.ts; console.log(urlencoded()) shows the defaults
  return createMiddleware('urlencoded', options, (settings) => describeForm(settings, createFormParse))
}
