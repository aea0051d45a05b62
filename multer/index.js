'use strict'

module.exports = require('fast-body-parser/lib/types/multer')
