'use strict'

// Option `defaultCharset` of multipart: that of fields that name none, in lower case.

const { partDecoderOf } = require('../uploads/parts/charset')

function readFormCharset (value, name, fallback) {
  const charset = value ?? fallback
  const label = typeof charset === 'string' ? charset.toLowerCase() : ''
  if (partDecoderOf(label) !== null) return label
  const kinds = 'of the Encoding Standard, and a superset of ASCII, such as windows-1252'
  throw new TypeError(`option ${name} must be a charset ${kinds}`)
}

module.exports = { read: readFormCharset, isShown: true }
