'use strict'

const fromPromise = require('./promise')
const { MEDIA_TYPES } = require('../rows/row')

/**
 * Too many bytes end in its "closed prematurely", a 500, on a request that is
 * not through; so that row is not its own.
 */
module.exports = {
  name: 'subtext',
  package: '@hapi/subtext',
  checks: ['type', 'limit', '__proto__'],
  does: [
    'json', 'raw', 'text', 'form', 'gzip', 'deflate', 'types', 'lenient', 'length limit',
    'json errors'
  ],

  create (kind, { limit = 102400, type = [MEDIA_TYPES[kind]] }) {
    const { parse } = require('@hapi/subtext')
    const options = { parse: true, output: 'data', maxBytes: limit, allow: type }
    return fromPromise(async (req) => (await parse(req, null, options)).payload)
  }
}
