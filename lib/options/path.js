'use strict'

// Option `path` of jsonArray: a JSON Pointer to the array.

const { readPath } = require('../records/json-array/pointer')

module.exports = { read: readPath }
