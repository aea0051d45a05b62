'use strict'

// The least that a parser can do which code around it cannot tell from
// body-parser: it reads `req.headers`, creates `req.body`, adds the same five
// listeners within its call, removes all five before `next`, and calls that in
// the async context of its caller. It checks nothing. A baseline for
// measurements, not for use; a package of its own, like ../bare.

const { AsyncResource } = require('node:async_hooks')
const querystring = require('node:querystring')

exports.json = () => listening((bytes) => JSON.parse(bytes.toString()))
exports.urlencoded = () => listening((bytes) => querystring.parse(bytes.toString()))
exports.text = () => listening((bytes) => bytes.toString())
exports.raw = () => listening((bytes) => bytes)
exports.listening = listening

/** @param {(bytes: Buffer) => unknown} parse */
function listening (parse) {
  return (req, res, next) => {
    const isEmpty = !hasBody(req.headers)
    if (!('body' in req)) req.body = undefined
    if (isEmpty) next()
    else listen(req, next, parse)
  }
}

function hasBody (headers) {
  return headers['content-type'] !== undefined && (headers['content-length'] ?? headers['transfer-encoding']) !== undefined
}

function listen (req, next, parse) {
  const scope = new AsyncResource('listening')
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
      req.body = parse(chunks.length === 1 ? chunks[0] : Buffer.concat(chunks))
    } catch (error) {
      return next(error)
    }
    next()
  }
}
