'use strict'

const problems = require('../answers/problem')
const { trackParserErrors } = require('../core/errors')

const { Headers, Response } = globalThis
const fieldsFor = trackParserErrors()

/**
 * Answers an error of a reader as application/problem+json (RFC 9457), as
 * `problemDetails()` does. Any other error is a 500 that tells nothing of it, and
 * is logged.
 *
 * @param {unknown} error
 * @param {{ base?: string }} [options] `base`: goes before the `type` of the error, to make it a URI
 * @returns {Response}
 * @throws {TypeError} if an option is wrong
 */
module.exports = function toResponse (error, options) {
  const base = problems.readBase('toResponse', options)
  const fields = fieldsFor(error)
  if (fields === undefined) problems.log(error)
  const status = fields === undefined ? 500 : problems.statusOf(error)
  const content = problems.contentOf(error, fields, { base, status, title: titleOf(status) })
  const headers = new Headers()
  for (const [name, value] of problems.headerOf(error, fields, validate)) {
    for (const text of [value].flat()) headers.append(name, text)
  }
  headers.set('Content-Type', 'application/problem+json')
  headers.delete('Content-Length') // that of the error is of other content; servers of Node would send it
  return new Response(content, { status, headers })
}

/** The reason phrase, which http-errors has for all that are registered; that of 400 or 500 for others. */
const titleOf = (status) => require('http-errors')(status).message // here, as a reader loads it when it is made

/** @throws {TypeError} for a field that no response may have */
function validate (name, text) {
  new Headers().append(name, text)
}
