'use strict'

const fromPromise = require('./promise')
const { MEDIA_TYPES } = require('../rows/row')

/**
 * Too many bytes end in its error "closed prematurely", a 500, while the request
 * goes on; so it is not in that row.
 */
module.exports = {
  name: 'subtext',
  package: '@hapi/subtext',
  checks: ['type', 'limit', '__proto__'],
  supports: [
    'json', 'raw', 'text', 'form', 'gzip', 'deflate', 'types', 'lenient', 'length limit',
    'json errors'
  ],

  create (kind, { limit = 102400, type = [MEDIA_TYPES[kind]] }) {
    const { parse } = require('@hapi/subtext')
    const options = { parse: true, output: 'data', maxBytes: limit, allow: type }
    return fromPromise(async (req) => (await parse(req, null, options)).payload)
  }
}
