'use strict'

// Option `reviver`: the second argument of JSON.parse, which ignores what is not a function.

const { isFunction } = require('../core/checks')

module.exports = { read: (value) => isFunction(value) ? value : undefined }
