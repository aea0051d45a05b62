'use strict'

// The Content-Type of a request, as multer reads it.

const contentType = require('content-type')
const errors = require('./errors')
const { boundaryOf: boundaryOfAny } = require('../parts/boundary')

const TOKEN = /[!#$%&'*+.^_`|~\w-]+/.source
const QUOTED = /"(?:[ !#-[\]-~\t\x80-\xFF]|\\[ -~\t\x80-\xFF])*"/.source
// A multipart type with parameters (RFC 9110, section 8.3.1), and with more blanks.
const MULTIPART = new RegExp(`^ *multipart/${TOKEN}(?: *; *${TOKEN} *= *(?:${TOKEN}|${QUOTED}))* *$`, 'i')
const PREFIX = /^ *multipart\//i
const TYPE = new RegExp(`^multipart/${TOKEN}$`)
// Of a field that keeps to the grammar; of any other one, `multipart()` has its own.
const RULES = { valid: /^(?:[^]{0,69}[^ \t])?$/, takesFirst: true }
const FORM_DATA = /^multipart\/form-data(?=[ ;]|$)/i

/** Also of a field that multer cannot read, and so passes on with everything in the form. */
function isMultipart (field) {
  if (typeof field !== 'string' || !PREFIX.test(field)) return false
  return MULTIPART.test(field) || TYPE.test(contentType.parse(field).type)
}

/** @throws {Error} in the words of multer, for another type than form-data, and without a boundary */
function boundaryOf ({ headers }) {
  const field = headers['content-type'].trim()
  if (!FORM_DATA.test(field)) throw errors.unsupportedType(field)
  try {
    return boundaryOfAny(field, MULTIPART.test(field) ? RULES : undefined)
  } catch ({ type }) {
    throw type === 'multipart.boundary.missing' ? errors.boundaryMissing() : errors.malformedType()
  }
}

module.exports = { boundaryOf, isMultipart }
