'use strict'

// The Content-Type of a request, as multer reads it.

const contentType = require('content-type')
const { decoderOf } = require('./charset')
const errors = require('./errors')
const parseParameters = require('./parameters')
const { boundaryOf: boundaryOfAny } = require('../parts/boundary')

const TOKEN = /[!#$%&'*+.^_`|~\w-]+/.source
const QUOTED = /"(?:[ !#-[\]-~\t\x80-\xFF]|\\[ -~\t\x80-\xFF])*"/.source
// A multipart type with parameters (RFC 9110, section 8.3.1), and with more blanks.
const MULTIPART = new RegExp(`^ *multipart/${TOKEN}(?: *; *${TOKEN} *= *(?:${TOKEN}|${QUOTED}))* *$`, 'i')
const PREFIX = /^ *multipart\//i
const TYPE = new RegExp(`^multipart/${TOKEN}$`)
const MAX_BOUNDARY = 70 // characters: RFC 2046, section 5.1.1
const FORM_DATA = /^multipart\/form-data(?=[ ;]|$)/i

/** Also of a field that multer cannot read, and so passes on with everything in the form. */
function isMultipart (field) {
  if (typeof field !== 'string' || !PREFIX.test(field)) return false
  return MULTIPART.test(field) || TYPE.test(contentType.parse(field).type)
}

/** @throws {Error} for another type than form-data, and without a boundary */
function boundaryOf ({ headers }) {
  const field = headers['content-type'].trim()
  const match = FORM_DATA.exec(field)
  if (!MULTIPART.test(field) && match !== null) return readLeniently(headers)
  const parameters = parseParameters(field.replace(/^[^ ;]+/, ''), (text) => text, decoderOf)
  if (match === null) throw errors.unsupportedType(field)
  if (parameters === null) throw errors.malformedType()
  const boundary = parameters.get('boundary')
  if (boundary === undefined) throw errors.boundaryMissing()
  if (boundary.length > MAX_BOUNDARY || /[ \t]$/.test(boundary)) throw errors.malformedType()
  return boundary
}

/** As `multipart()` does, with errors in the words of multer. */
function readLeniently (headers) {
  try {
    return boundaryOfAny(headers['content-type'])
  } catch ({ type }) {
    throw type === 'multipart.boundary.missing' ? errors.boundaryMissing() : errors.malformedType()
  }
}

module.exports = { boundaryOf, isMultipart }
