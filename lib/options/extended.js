'use strict'

// Option `extended`: whether the names of fields nest, as in `user[name]`.

module.exports = { read: Boolean }
