'use strict'

// Option `record` of ndjson and jsonArray: the most bytes of one of them.

const { readSize } = require('../core/checks')

module.exports = { read: readSize }
