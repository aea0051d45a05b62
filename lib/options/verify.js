'use strict'

// Option `verify`: a function of the app that may refuse a body by its bytes. ../compose.js calls it.

const { isFunction, kind, unlessFalsy } = require('../core/checks')

module.exports = { read: unlessFalsy(kind(isFunction, 'function')) }
