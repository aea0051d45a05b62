'use strict'

// The source of a multipart body: gives the bytes to a form as they come, after
// content codings are undone, and holds them back while a store is busy.

const contentType = require('content-type')
const { findFault, findObstacle, refuse } = require('../core/collect')
const errors = require('../core/errors')
const listen = require('../core/listen')
const onceClientLeaves = require('../guards/client')
const Form = require('./form')

const BOUNDARY = /^[\w'()+,./:=? -]{0,69}[\w'()+,./:=?-]$/ // RFC 2046, section 5.1.1
const REPEATED = /;\s*boundary\s*=.*;\s*boundary\s*=/i

/** @throws {Error} 400 if the request has no boundary, or no proper one */
function createForm (settings, exchange, listener) {
  const field = exchange.req.headers['content-type'] ?? ''
  const { boundary } = contentType.parse(field).parameters
  if (boundary === undefined) throw errors.create(400, 'the boundary is missing', { type: 'multipart.boundary.missing' })
  if (!BOUNDARY.test(boundary) || REPEATED.test(field)) throw errors.create(400, 'the boundary is invalid', { type: 'multipart.boundary.invalid' })
  return new Form(boundary, settings, exchange, listener)
}

/**
 * @param {object} settings
 * @param {(() => import('node:stream').Duplex) | null} createDecoder null without a content coding
 * @returns {import('../read').Source} gives the form
 */
function createSource (settings, createDecoder) {
  return function readForm (exchange, done) {
    const { limit, req } = exchange
    let form, decoder
    try {
      const obstacle = findObstacle(exchange)
      if (obstacle !== null) throw obstacle
      form = createForm(settings, exchange, { ready: resume, settled: finish })
      decoder = createDecoder?.()
      if (decoder !== undefined) req.pipe(decoder)
    } catch (error) {
      return refuse(done, error)
    }
    const content = decoder ?? req
    let decoded = 0 // bytes
    let held = 0 // bytes
    let isDone = false // `emit` iterates over a copy of the listeners
    let forgetClient = () => {}
    const stopListening = listen([[req, 'aborted', onAborted], [req, 'close', onAborted], [req, 'data', count], [content, 'data', onData], [content, 'end', onEnd]])
    req.on('error', onError)
    if (decoder !== undefined) {
      exchange.lane = 'stream'
      decoder.on('error', onError)
    }
    if (req.readableFlowing === false) req.resume() // it was paused explicitly
    exchange.onAbort = finish

    function count (chunk) {
      exchange.received += chunk.length
    }

    function onData (chunk) {
      decoded += chunk.length
      const error = decoded > limit ? errors.receivedTooLarge(decoded, limit) : hold(chunk.length)
      if (error !== null) return finish(error)
      form.write(typeof chunk === 'string' ? Buffer.from(chunk) : chunk)
      if (isDone) return
      hold(form.heldBytes - held)
      if (form.isBlocked) content.pause()
    }

    /** @returns {Error | null} why no more bytes may be held in memory */
    function hold (change) {
      held += change
      return exchange.hold(change)
    }

    function resume () {
      if (isDone) return
      hold(form.heldBytes - held)
      content.resume()
    }

    function onError (error) {
      finish(errors.unreadable(error))
    }

    /** The request ends early. A coded one may be closed while its end is decoded. */
    function onAborted () {
      if (!req.readableEnded && !decoder?.writableEnded) onGone()
    }

    function onGone () {
      finish(errors.aborted(exchange.length, exchange.received))
    }

    function onEnd () {
      const fault = decoder === undefined ? findFault(exchange) : null
      if (fault !== null) return finish(fault)
      stop()
      exchange.complete(decoded)
      forgetClient = onceClientLeaves(req, onGone) // while a store is still busy
      form.end()
    }

    function stop () {
      stopListening()
      if (decoder === undefined) return
      req.unpipe(decoder)
      req.resume() // bytes after the end of the coded body
    }

    /** @param {unknown} error why the form cannot be read to its end; null if it is complete */
    function finish (error) {
      if (isDone) return
      isDone = true
      exchange.onAbort = null
      stop()
      forgetClient()
      decoder?.destroy()
      if (error === null) return report()
      req.pause?.()
      form.abort(error, report)

      function report () {
        req.removeListener('error', onError)
        if (error === null) done(null, form, decoded)
        else done(error)
      }
    }
  }
}

module.exports = { createForm, createSource }
