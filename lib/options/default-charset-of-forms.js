'use strict'

// Option `defaultCharset` of urlencoded: that of a form that names none.

const { oneOf, unlessFalsy } = require('../core/checks')

module.exports = { read: unlessFalsy(oneOf(['utf-8', 'iso-8859-1'], 'either utf-8 or iso-8859-1')) }
