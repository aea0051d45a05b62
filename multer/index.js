'use strict'

// By the path of the file: tools that ignore "exports" do not know `fast-body-parser/multer`.
module.exports = require('fast-body-parser/lib/types/multer')
