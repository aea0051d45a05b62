'use strict'

const { AsyncResource } = require('node:async_hooks')
const { PARSERS } = require('./bare')

/**
 * The least that a handler costs which code around it cannot tell from
 * body-parser: it reads `req.headers`, creates `req.body`, adds the same five
 * listeners within its call, removes all five before `next`, and calls that in
 * the async context of its caller. It checks nothing.
 */
module.exports = {
  name: 'listening',
  checks: [],
  does: [
    'json', 'raw', 'text', 'form', 'lenient', 'reviver', 'GET',
    // It ignores these, as bare does.
    'charset', 'types', 'verify'
  ],

  create (kind, { reviver }) {
    const parse = reviver ? (bytes) => JSON.parse(bytes.toString(), reviver) : PARSERS[kind]
    return (req, res, next) => {
      const isEmpty = !hasBody(req.headers)
      if (!('body' in req)) req.body = undefined
      if (isEmpty) next()
      else listen(req, next, parse)
    }
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
    req.body = parse(chunks.length === 1 ? chunks[0] : Buffer.concat(chunks))
    next()
  }
}
