'use strict'

const createValidate = require('../../answers/validate')
const { missingNext } = require('../../core/body/read-promise')
const { nextTick } = require('../../core/platform')
const { claim } = require('../../core/request/claims')
const { countWaiters, ignoreErrors, onceAnswered, tellWaiters } = require('../../core/request/listen')
const StreamedFiles = require('./stream-form')

/**
 * Option `store: 'stream'` of a middleware. The exchange reads the form to its end for the loop over its files, which
 * is told of the outcome; the app's `next` is called before, when the first file begins.
 *
 * @param {object} settings of `multipart`
 * @param {(fields: object, limit: number) => object} nest
 * @param {(files: object) => void} mark remembers that this parser has made `req.files`
 */
module.exports = function createStreaming ({ schema }, nest, mark) {
  const loops = new WeakMap() // request -> the files of its form
  const validate = schema === null ? null : createValidate(schema)
  return { filesOf: (req) => loops.get(req), wrapMiddleware }

  function wrapMiddleware (middleware) {
    return function multipartParser (req, res, next) {
      if (typeof next !== 'function') throw missingNext()
      const streamed = new StreamedFiles({ nest, validate }, give)
      loops.set(req, streamed)
      const waiters = countWaiters(req)
      // If the app has left the form by an error, Express waits for the end of the request before it answers.
      const onPause = () => { if (!streamed.isRead) tellWaiters(req, waiters) }
      middleware(req, res, (...error) => {
        streamed.end(...error)
        ignoreErrors(() => req.removeListener('pause', onPause)) // a stand-in for a request may have no methods
        if (streamed.isBegun) return
        if (error.length === 0) ignoreErrors(() => { req.files ??= streamed.iterable }) // a setter of the app's
        next(...error)
      })

      function give (body, { call }) {
        req.body = body
        req.files = streamed.iterable
        mark(streamed.iterable)
        claim(req, 'loop') // other parsers leave the rest to it
        onceAnswered(res, () => streamed.stopUnread())
        req.on?.('pause', onPause)
        call(nextTick, next) // what it throws is no error of the form
      }
    }
  }
}
