'use strict'

const READERS = { json: 'json', text: 'text', urlencoded: 'form' }
const TYPES = {
  json: ['application/json', 'application/json-patch+json', 'application/vnd.api+json', 'application/csp-report'],
  text: ['text/plain'],
  urlencoded: ['application/x-www-form-urlencoded']
}

/** As koa-bodyparser calls it: after `ctx.is`, and with the raw body kept. */
module.exports = {
  name: 'co-body',
  checks: ['type', 'length', 'limit', 'coding', 'strict', '__proto__'],
  supports: [
    'json', 'text', 'form', 'nested form', 'gzip', 'deflate', 'br', 'types', 'lenient', 'GET',
    'type check', 'length limit', 'byte limit', 'json errors'
  ],

  create (kind, { limit = '100kb', strict = true, type }) {
    const read = require('co-body')[READERS[kind]]
    const typeis = require('type-is')
    const types = type ?? TYPES[kind]
    return (req, res, next) => {
      if (!typeis(req, types)) return next()
      read(req, { limit, strict, returnRawBody: true }).then(({ parsed, raw }) => {
        req.body = parsed
        req.rawBody = raw
        next()
      }, next)
    }
  }
}
