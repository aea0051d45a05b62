'use strict'

// The least work of a parser that other code cannot distinguish from body-parser: it reads `req.headers`, creates
// `req.body`, adds the same five listeners within its call, removes all five before `next`, and calls that in the async
// context of its caller. It decodes, and checks nothing. A baseline for measurements, not for use; a package of its
// own, so that npm can install it.

const { AsyncResource } = require('node:async_hooks')
const querystring = require('node:querystring')
const zlib = require('node:zlib')

const DECODERS = { gzip: zlib.gunzipSync, deflate: zlib.inflateSync, br: zlib.brotliDecompressSync }

exports.json = () => compatible((bytes) => JSON.parse(bytes.toString()))
exports.urlencoded = () => compatible((bytes) => querystring.parse(bytes.toString()))
exports.text = () => compatible((bytes) => bytes.toString())
exports.raw = () => compatible((bytes) => bytes)
exports.compatible = compatible
exports.DECODERS = DECODERS

/** @param {(bytes: Buffer) => unknown} parse */
function compatible (parse) {
  return (req, res, next) => {
    const isEmpty = !hasBody(req.headers)
    if (!('body' in req)) req.body = undefined
    if (isEmpty) next()
    else listen(req, next, parse)
  }
}

function hasBody (headers) {
  return headers['content-type'] !== undefined &&
    (headers['content-length'] ?? headers['transfer-encoding']) !== undefined
}

function listen (req, next, parse) {
  const scope = new AsyncResource('compatible')
  const chunks = []
  req.on('aborted', stop)
  req.on('close', stop)
  req.on('data', onData)
  req.on('end', onEnd)
  req.on('error', stop)

  function onData (chunk) {
    chunks.push(chunk)
  }

  function onEnd () {
    stop()
    scope.runInAsyncScope(finish)
  }

  function stop () {
    req.removeListener('aborted', stop)
    req.removeListener('close', stop)
    req.removeListener('data', onData)
    req.removeListener('end', onEnd)
    req.removeListener('error', stop)
  }

  function finish () {
    try {
      const bytes = chunks.length === 1 ? chunks[0] : Buffer.concat(chunks)
      const decode = DECODERS[req.headers['content-encoding']]
      req.body = parse(decode === undefined ? bytes : decode(bytes))
    } catch (error) {
      return next(error)
    }
    next()
  }
}
