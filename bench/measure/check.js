'use strict'

const { isDeepStrictEqual } = require('node:util')
const { createFeed, createRequestFactory } = require('./request')

const TIMEOUT = 5000 // ms

/**
 * Serves one request and checks the outcome, before anything is timed.
 *
 * @param {import('../rows/row').Work} work
 * @param {(req: object, res: object, next: Function) => void} handler
 * @returns {Promise<string | null>} what is wrong; null if nothing is
 */
async function check (work, handler) {
  const req = createRequestFactory(work)()
  const error = await outcome(req, handler, createFeed(work))
  if (error === SILENT) return 'never called next'
  if (work.status !== undefined) return checkRefusal(error, work.status)
  if (error !== undefined) return `failed: ${error?.message ?? error}`
  if (work.skips) return isNothing(req.body) ? null : 'made a body where there is none'
  return isSame(req.body, work.body) ? null : 'parsed another value'
}

/** body-parser 1 makes an empty object. */
function isNothing (body) {
  return body === undefined || Object.keys(body).length === 0
}

const SILENT = Symbol('silent')

function outcome (req, handler, feed) {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, TIMEOUT, SILENT)
    handler(req, {}, (error) => {
      clearTimeout(timer)
      resolve(error)
    })
    feed(req)
  })
}

/** Some give their errors no status and leave that to their framework. */
function checkRefusal (error, expected) {
  if (error === undefined || error === null) return 'was not refused'
  const status = error.status ?? error.statusCode ?? error.output?.statusCode ?? expected
  return status === expected ? null : `refused with ${status}, not ${expected}`
}

/** Ignores prototypes: querystring makes objects without one. */
function isSame (actual, expected) {
  if (typeof expected === 'string') return actual === expected
  if (Buffer.isBuffer(expected)) return Buffer.isBuffer(actual) && expected.equals(actual)
  return isDeepStrictEqual(JSON.parse(JSON.stringify(actual ?? null)), expected)
}

module.exports = check
