'use strict'

const parsers = require('../../tools/compatible')

/** The least that a drop-in replacement can cost: see ../../tools/compatible. */
module.exports = {
  name: 'compatible',
  checks: [],
  supports: [
    'json', 'gzip', 'deflate', 'br', 'raw', 'text', 'form', 'lenient', 'reviver', 'GET',
    // It ignores these, as minimal does.
    'charset', 'types', 'verify'
  ],

  create (kind, { reviver }) {
    return reviver ? parsers.compatible((bytes) => JSON.parse(bytes.toString(), reviver)) : parsers[kind]()
  }
}
