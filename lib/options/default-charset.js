'use strict'

// Option `defaultCharset` of JSON and text: that of a body that names none.

const { kind, unlessFalsy } = require('../core/checks')

const isString = (value) => typeof value === 'string'

module.exports = { read: unlessFalsy(kind(isString, 'a string')) }
