'use strict'

// Option `total` of multipart: bytes of all files together.

const { readSize } = require('../core/checks')

module.exports = { read: readSize }
