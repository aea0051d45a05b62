'use strict'

const { missingNext } = require('../core/body/read-promise')
const diagnostics = require('../core/insight/diagnostics')
const read = require('../read')

/**
 * What the middleware of each parser of records does. An error before the loop is published here, as only what the
 * loop reads is traced (`isTraced` in ./describe.js).
 */
module.exports = function readRecords (req, res, next, parser) {
  if (typeof next !== 'function') throw missingNext()
  read(req, res, (...error) => {
    if (error.length === 0) next()
    else diagnostics.publishError(parser.name, { req, res, next }, error[0])
  }, parser)
}
