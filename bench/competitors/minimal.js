'use strict'

const querystring = require('node:querystring')
const zlib = require('node:zlib')
const { MEDIA_TYPES } = require('../rows/row')

const DECODERS = { gzip: zlib.gunzipSync, deflate: zlib.inflateSync, br: zlib.brotliDecompressSync }

const PARSERS = {
  json: (bytes) => JSON.parse(bytes.toString()),
  raw: (bytes) => bytes,
  text: (bytes) => bytes.toString(),
  urlencoded: (bytes) => querystring.parse(bytes.toString())
}

function handler (parse) {
  return (req, res, next) => {
    const chunks = []
    req.on('data', (chunk) => chunks.push(chunk))
    req.on('end', () => {
      req.body = parse(chunks.length === 1 ? chunks[0] : Buffer.concat(chunks))
      next()
    })
  }
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

  create (kind, options, { headers, skips }) {
    if (skips || !headers['Content-Type'].startsWith(MEDIA_TYPES[kind])) return (req, res, next) => next()
    const parse = kind === 'json' && options.reviver
      ? (bytes) => JSON.parse(bytes.toString(), options.reviver)
      : PARSERS[kind]
    const decode = DECODERS[headers['Content-Encoding']]
    return handler(decode === undefined ? parse : (bytes) => parse(decode(bytes)))
  }
}
