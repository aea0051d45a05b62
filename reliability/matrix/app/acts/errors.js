'use strict'

// Errors of an app that `problemDetails` answers: with fields for the response,
// such as those of an upstream's.

const mapValues = require('../../../../tools/map-values')

const HEADERS = {
  'an error': {},
  'a repeated field': { 'Retry-After': ['1', '2'], Age: ['1', '2'] },
  'a repeated field of many values': { Link: ['</a>', '</b>'], 'Set-Cookie': ['a=1', 'b=2'] },
  "a field of HTTP/2's own": { 'http2-settings': 'AAMAAABkAARAAAAAAAIAAAAA', ':status': '200' },
  'fields of a connection': {
    Connection: 'x-of-hop',
    'x-of-hop': '1',
    'Keep-Alive': '5',
    Upgrade: 'h2c',
    TE: 'trailers'
  },
  'fields of content': { 'Content-Length': '1', 'Transfer-Encoding': 'chunked', 'Content-Encoding': 'gzip' },
  'fields that are not valid': {
    'a b': '1',
    '': '1',
    'x-line': 'a\r\nb: c',
    'x-none': undefined,
    'x-symbol': Symbol('x')
  },
  'a field that throws': { 'x-object': { toString () { throw new Error('x') } } },
  'a list of fields': ['a', 'b'],
  'a text as fields': 'abc'
}

/** @type {Record<string, import('./streams').Act>} */
module.exports = mapValues(HEADERS, (headers) => ({
  fails: true,
  hasOneTime: true,
  run () {
    throw Object.assign(new Error('refused'), { status: 422, expose: true, headers })
  }
}))
