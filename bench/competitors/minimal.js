'use strict'

const zlib = require('node:zlib')
const { minimal, PARSERS } = require('../../tools/minimal')
const { MEDIA_TYPES } = require('../rows/row')

const DECODERS = { gzip: zlib.gunzipSync, deflate: zlib.inflateSync, br: zlib.brotliDecompressSync }

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
    return minimal(decode === undefined ? parse : (bytes) => parse(decode(bytes)))
  }
}
