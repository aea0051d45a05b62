'use strict'

// Option `inflate`: whether content codings are undone. Only false turns it off, as in body-parser.

module.exports = { read: (value) => value !== false }
