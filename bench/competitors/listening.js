'use strict'

const { listening } = require('../../tools/listening')
const { PARSERS } = require('./bare')

/** What listening costs by itself: see ../../tools/listening. */
module.exports = {
  name: 'listening',
  checks: [],
  does: [
    'json', 'raw', 'text', 'form', 'lenient', 'reviver', 'GET',
    // It ignores these, as bare does.
    'charset', 'types', 'verify'
  ],

  create (kind, { reviver }) {
    return listening(reviver ? (bytes) => JSON.parse(bytes.toString(), reviver) : PARSERS[kind])
  }
}
