'use strict'

// The Content-Type of a request, as multer reads it.

const { decoderOf } = require('./charset')
const errors = require('./errors')
const parseParameters = require('./parameters')

const TOKEN = /[!#$%&'*+.^_`|~\w-]+/.source
const QUOTED = /"(?:[ !#-[\]-~\t\x80-\xFF]|\\[ -~\t\x80-\xFF])*"/.source
// A multipart type with parameters (RFC 9110, section 8.3.1), and with more blanks.
const MULTIPART = new RegExp(`^ *multipart/${TOKEN}(?: *; *${TOKEN} *= *(?:${TOKEN}|${QUOTED}))* *$`, 'i')
const MAX_BOUNDARY = 70 // characters: RFC 2046, section 5.1.1
const FORM_DATA = /^multipart\/form-data(?=[ ;]|$)/i

const isMultipart = (field) => typeof field === 'string' && MULTIPART.test(field)

/** @throws {Error} for another type than form-data, and without a boundary */
function boundaryOf ({ headers }) {
  const field = headers['content-type'].trim()
  const match = FORM_DATA.exec(field)
  const parameters = parseParameters(field.replace(/^[^ ;]+/, ''), (text) => text, decoderOf)
  if (parameters === null) throw errors.malformedType()
  if (match === null) throw errors.unsupportedType(field)
  const boundary = parameters.get('boundary')
  if (boundary === undefined) throw errors.boundaryMissing()
  if (boundary.length > MAX_BOUNDARY || /[ \t]$/.test(boundary)) throw errors.malformedType()
  return boundary
}

module.exports = { boundaryOf, isMultipart }
