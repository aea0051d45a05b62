'use strict'

// Option `charsetSentinel`: whether a parameter `utf8` may tell the charset of a form. On for true alone.

module.exports = { read: (value) => value === true }
