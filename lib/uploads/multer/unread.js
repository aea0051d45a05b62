'use strict'

// Requests of which nothing is left to read.

const { isUint8Array } = require('node:util').types
const errors = require('../../core/errors')
const { nextTick } = require('../../core/platform')
const { isRead, isStream } = require('../../core/request/facts')
const { becomeAborted, extend } = require('./errors')

const FALLBACK = 'neither req.rawBody nor req.body has its content: call multer before the code that reads the ' +
  'request, or let that code keep the content in req.rawBody, for multer({ buffered: true })'
const PARSED = 'other code has parsed it: use one upload middleware for a request, and no other parser of forms'

/** Whether other code has read the request, or it has been closed, or it never was a stream. */
const isUnreadable = (req) => isRead(req) || !isStream(req)

/** It ends early if its client has left, or if it was destroyed before its end. */
const isCut = ({ aborted, destroyed, readableEnded }) => aborted || (destroyed && readableEnded === false)

/** A reader: reports what is wrong with a request that is unreadable, and leaves what other code has made of it. */
function failUnreadable (exchange, done) {
  const { req } = exchange
  const error = isCut(req) ? exchange.aborted() : alreadyRead(req)
  becomeAborted(error)
  nextTick(done, exchange, extend(error, { storageErrors: [] })) // as any other error of a form
}

/** It is a 500: the order of the app's middleware is at fault, and not the form. */
function alreadyRead (req) {
  let found
  try {
    found = describeContent(req)
  } catch { // a getter of the app's
    found = FALLBACK
  }
  return errors.create(500, `The request was read before, and ${found}`, { type: 'stream.not.readable' })
}

function describeContent (req) {
  const property = ['rawBody', 'body'].find((name) => typeof req[name] === 'string' || isUint8Array(req[name]))
  if (property !== undefined) return `req.${property} has its content: multer({ buffered: true }) parses that`
  const { body, file, files } = req
  const isParsed = [body, file, files].some((result) => Object.keys(Object(result)).length > 0)
  return isParsed ? PARSED : FALLBACK
}

module.exports = { failUnreadable, isUnreadable }
