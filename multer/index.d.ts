import multer = require('fast-body-parser/lib/types/multer')

export = multer
