'use strict'

const { preload } = require('../core/lazy')
const { createParser, wrap } = require('../core/middleware')
const { readCommon } = require('../core/options')
const { describeJson } = require('../json/parse')
const { loadSyntaxError } = require('../json/strict')
const read = require('../read')

/**
 * Makes a middleware that parses JSON (RFC 8259) into `req.body`.
 *
 * @param {import('../..').OptionsJson} [options] see index.d.ts
 * @returns {(req: object, res: object, next: Function) => void}
 * @throws {TypeError} for an option that is wrong
 */
module.exports = function json (options) {
  const settings = readCommon(options, 'application/json')
  let descriptor = { name: 'json', ...describeJson(options) }
  if ((options?.cooperative ?? false) !== false) descriptor = require('../extras/cooperative')(descriptor, options)
  const parser = createParser(descriptor, settings)
  preload(loadSyntaxError)
  return wrap(function jsonParser (req, res, next) {
    read(req, res, next, parser)
  }, parser, settings)
}
