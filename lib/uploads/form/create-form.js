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
  const { header, name } = settings.parts
  const perPart = name + 824 // bytes of headers on average: 1 KB, with an ordinary name
  const scanner = new Scanner(boundary, header, (type, detail) => form.fail(type, detail), perPart)
  return new FormReader(scanner, form, feed)
}
