'use strict'

/**
 * body-parser 1.0 split its one middleware into four, and has thrown this
 * since; so do we.
 */
function bodyParser () {
  throw new Error('The bodyParser() generic has been split into individual middleware to use instead.')
}

module.exports = bodyParser
module.exports.json = require('./lib/types/json')
module.exports.raw = require('./lib/types/raw')
module.exports.text = require('./lib/types/text')
module.exports.urlencoded = require('./lib/types/urlencoded')
module.exports.createParser = require('./lib/types/custom')
module.exports.multipart = require('./lib/types/multipart')
module.exports.ndjson = require('./lib/types/ndjson')
module.exports.jsonArray = require('./lib/types/json-array')
module.exports.createBudget = function createBudget (options) {
  return require('./lib/core/lifetime/budget').createBudget(options)
}
module.exports.problemDetails = function problemDetails (...args) {
  return require('./lib/answers/problem-details')(...args)
}
module.exports.refuseUnparsed = function refuseUnparsed (...args) {
  return require('./lib/answers/refuse-unparsed')(...args)
}
