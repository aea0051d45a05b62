'use strict'

// Option `drainLimit`: how many bytes are read off after an error, so that the connection can be used again.

const { readSize } = require('../core/checks')

module.exports = { read: readSize }
