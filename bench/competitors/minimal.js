'use strict'

const querystring = require('node:querystring')
const { DECODERS } = require('../../tools/compatible')
const { MEDIA_TYPES } = require('../rows/row')

/** By the name of the parser. @type {Record<string, (bytes: Buffer, reviver?: Function) => unknown>} */
const PARSERS = {
  json: (bytes, reviver) => JSON.parse(bytes.toString(), reviver),
  urlencoded: (bytes) => querystring.parse(bytes.toString()),
  text: (bytes) => bytes.toString(),
  raw: (bytes) => bytes
}

/** The handler that checks nothing: the least that the work can cost. */
module.exports = {
  name: 'minimal',
  checks: [],
  supports: [
    'json', 'gzip', 'deflate', 'br', 'raw', 'text', 'form', 'lenient', 'reviver',
    'GET', 'type check',
    // It is the baseline because it ignores these.
    'charset', 'types', 'verify'
  ],

  create (kind, { reviver }, { headers, skips }) {
    if (skips || !headers['Content-Type'].startsWith(MEDIA_TYPES[kind])) return (req, res, next) => next()
    const decode = DECODERS[headers['Content-Encoding']]
    return (req, res, next) => {
      const chunks = []
      req.on('data', (chunk) => { chunks.push(chunk) })
      req.on('end', () => {
        const bytes = chunks.length === 1 ? chunks[0] : Buffer.concat(chunks)
        req.body = PARSERS[kind](decode === undefined ? bytes : decode(bytes), reviver)
        next()
      })
    }
  }
}
