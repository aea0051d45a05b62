'use strict'

// Option `maxErrors` of ndjson and jsonArray: how many records may be wrong. Without `onError: 'collect'`, the
// first one ends the loop.

const { count, hasValue } = require('../core/checks')

module.exports = { read: count, check: checkMaxErrors }

function checkMaxErrors (value, name, { given, onError }) {
  if (hasValue(given[name]) && onError === 'stop') throw new TypeError(`option ${name} needs onError: 'collect'`)
  return value
}
