'use strict'

// Which requests are forms, as multer tells it by their Content-Type, and what is wrong with those that are not, or of
// which nothing is left to read.

const contentType = require('content-type')
const { isUint8Array } = require('node:util').types
const errors = require('../../core/errors')
const { nextTick } = require('../../core/platform')
const { isRead, isStream } = require('../../core/request/facts')
const { boundaryOf: boundaryOfAny } = require('../parts/boundary')
const { becomeAborted, boundaryMissing, extend, malformedType, unsupportedType } = require('./errors')

const MULTIPART = /^multipart\/[!#$%&'*+.^_`|~\w-]+$/
const FORM_DATA = /^multipart\/form-data(?=;|$)/i // most fields, which need not be parsed for it
const RULES = {
  valid: /^[^]{0,69}[^ \t]$/, // also with characters that RFC 2046 does not have
  takesFirst: true,
  createError: (what) => what === 'missing' ? boundaryMissing() : malformedType()
}
const FALLBACK = 'neither req.rawBody nor req.body has its content: call multer before the code that reads the ' +
  'request, or let that code keep the content in req.rawBody, for multer({ buffered: true })'
const PARSED = 'other code has parsed it: use one upload middleware for a request, and no other parser of forms'

/** Also of a field that multer cannot read, and so passes on with everything in the form. */
function isMultipart (field) {
  return typeof field === 'string' && (FORM_DATA.test(field) || MULTIPART.test(contentType.parse(field).type))
}

/**
 * @param {string} field the Content-Type of a request that is multipart
 * @throws {Error} in the words of multer, for another type than form-data, and without a boundary
 */
function boundaryOf (field) {
  const isFormData = FORM_DATA.test(field) || contentType.parse(field).type === 'multipart/form-data'
  if (!isFormData) throw unsupportedType(field.trim())
  return boundaryOfAny(field, RULES)
}

/** Whether other code has read the request, or it has been closed, or it never was a stream. */
const isUnreadable = (req) => isRead(req) || !isStream(req)

/** A reader of a request that is unreadable: reports why, and leaves what other code has made of it. */
function failUnreadable (exchange, done) {
  const { req, req: { aborted, destroyed, readableEnded } } = exchange
  const isCut = aborted || (destroyed && readableEnded === false) // its client has left, or the app has destroyed it
  const message = `The request was read before, and ${describeContent(req)}`
  // A 500, as the order of the app's middleware is at fault, and not the form.
  const error = isCut ? exchange.aborted() : errors.create(500, message, { type: 'stream.not.readable' })
  becomeAborted(error)
  nextTick(done, exchange, extend(error, { storageErrors: [] })) // as any other error of a form
}

function describeContent (req) {
  const property = ['rawBody', 'body'].find((name) => typeof req[name] === 'string' || isUint8Array(req[name]))
  if (property !== undefined) return `req.${property} has its content: multer({ buffered: true }) parses that`
  const { body, file, files } = req
  const isParsed = [body, file, files].some((result) => Object.keys(Object(result)).length > 0)
  return isParsed ? PARSED : FALLBACK
}

module.exports = { boundaryOf, failUnreadable, isMultipart, isUnreadable }
