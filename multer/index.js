'use strict'

// By name, so that a copy of this folder finds the package beside itself. By the
// path of a file, as tools that ignore "exports" take `fast-body-parser/multer`
// for this folder, which would load itself.
module.exports = require('fast-body-parser/lib/types/multer')
