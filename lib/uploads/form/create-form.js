'use strict'

const { boundaryOf } = require('../parts/boundary')
const { formCharsetOf } = require('../parts/charset')
const { Scanner } = require('../parts/scanner')
const Form = require('./form')
const FormReader = require('./form-reader')

/**
 * @param {object} settings of `multipart`
 * @param {import('./host').Host} host
 * @param {string} field the Content-Type
 * @param {{ ready: () => void, settled: (error: unknown) => void }} feed
 * @throws {Error} 400 if the field has no boundary
 */
module.exports = function createForm (settings, host, field, feed) {
  const boundary = boundaryOf(field)
  const form = new Form(settings, host, formCharsetOf(field, settings.defaultCharset))
  const { header, name } = settings.parts
  const perPart = name + 824 // bytes of headers on average: 1 KB, with an ordinary name
  const scanner = new Scanner(boundary, header, (type, detail) => form.fail(type, detail), perPart)
  return new FormReader(scanner, form, feed)
}
