'use strict'

/**
 * fastify's parser by itself, without the framework around it. It is internal
 * there, so this holds for the version in package.json.
 */
module.exports = {
  name: 'fastify',
  checks: ['type', 'length', 'limit', '__proto__'],
  supports: [
    'json', 'text', 'raw', 'types', 'lenient', 'length limit', 'byte limit', 'json errors'
  ],

  create (kind, { limit = 102400, type = [] }) {
    const ContentTypeParser = require('fastify/lib/content-type-parser')
    const { kRouteContext, kRequestPayloadStream } = require('fastify/lib/symbols')
    const parser = new ContentTypeParser(limit, 'error', 'error')
    const add = (type, parseAs, parse) => parser.add(type, { parseAs, bodyLimit: limit }, parse)
    for (const other of type.slice(1)) add(other, 'string', parser.customParsers.get('application/json').fn)
    add('application/octet-stream', 'buffer', (req, body, done) => done(null, body))
    const context = { _parserOptions: { limit: null } }

    return (req, res, next) => {
      const { headers } = req
      const request = { raw: req, headers, body: undefined, [kRequestPayloadStream]: null }
      const reply = { [kRouteContext]: context, header () {}, send: next }
      parser.run(headers['content-type'], (request) => {
        req.body = request.body
        next()
      }, request, reply)
    }
  }
}
