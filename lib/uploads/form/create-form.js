'use strict'

const { Scanner } = require('../parts/scanner')
const Form = require('./form')
const FormReader = require('./form-reader')

/**
 * @param {object} settings of `multipart`
 * @param {import('./host').Host} host
 * @param {object} type of the form
 * @param {string} type.boundary
 * @param {string} type.charset of parts that declare none
 * @param {{ ready: () => void, settled: (error: unknown) => void }} feed
 */
module.exports = function createForm (settings, host, { boundary, charset }, feed) {
  const form = new Form(settings, host, charset)
  const scanner = new Scanner(boundary, settings.parts.header, (type, detail) => form.fail(type, detail))
  return new FormReader(scanner, form, feed)
}
