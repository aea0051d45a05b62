'use strict'

// Option `onError` of ndjson and jsonArray: whether a record that is wrong ends the loop.

const { oneOf } = require('../core/checks')

module.exports = { read: oneOf(['stop', 'collect'], "'stop' or 'collect'") }
