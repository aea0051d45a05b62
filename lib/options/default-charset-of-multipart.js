'use strict'

// Option `defaultCharset` of multipart: that of fields that name none, in lower case.

const { checkDefault } = require('../uploads/parts/charset')

module.exports = function readFormCharset (value, name, fallback) {
  const charset = value ?? fallback
  return checkDefault(typeof charset === 'string' ? charset.toLowerCase() : '')
}
