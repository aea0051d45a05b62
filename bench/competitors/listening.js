'use strict'

const parsers = require('../../tools/listening')

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
    return reviver ? parsers.listening((bytes) => JSON.parse(bytes.toString(), reviver)) : parsers[kind]()
  }
}
