'use strict'

// Option `empty` of json: what a body of no bytes is, and what `req.body` is
// without content.

const errors = require('../core/errors')

/** The descriptor with these options of `json`; its `absent` creates the body of a request without content. */
module.exports = function handleEmpty (descriptor, { empty }) {
  const isObject = Object.prototype.toString.call(empty) === '[object Object]' && Object.keys(empty).length === 0
  if (!isObject && empty !== undefined && empty !== 'error') throw new TypeError("option empty must be undefined, {} or 'error'")
  const absent = () => isObject ? {} : undefined
  return { ...descriptor, absent, parse, skipStage: fill }

  /** For a request that the parser skips. */
  function fill (exchange, content, proceed) {
    const { req } = exchange
    if (req.body === undefined && !hasContent(req)) req.body = absent()
    proceed(exchange)
  }

  function parse (text, ...more) {
    if (text !== '') return descriptor.parse(text, ...more)
    if (empty === 'error') throw errors.create(400, 'request entity empty', { type: 'entity.empty' })
    return absent()
  }
}

function hasContent ({ headers, stream }) {
  return headers['transfer-encoding'] !== undefined || headers['content-length'] > 0 || stream?.endAfterHeaders === false
}
