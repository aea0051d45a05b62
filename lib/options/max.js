'use strict'

// Option `max` of ndjson and jsonArray: the most records of a body.

const { count } = require('../core/checks')

module.exports = { read: count }
