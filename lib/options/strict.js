'use strict'

// Option `strict` of JSON: takes arrays and objects alone, as RFC 4627 did.

const { requireContainer } = require('../formats/json/parse')

module.exports = {
  read: (value) => value !== false,
  off: false,
  extend: requireContainer
}
