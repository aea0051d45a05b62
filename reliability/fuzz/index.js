'use strict'

// npm run fuzz: random requests through this package and through what it replaces.

const fuzz = require('./command')

require('../../tools/programs')({
  '': () => fuzz(require('./side')),
  '--against=body-parser': () => fuzz(require('./side')),
  '--against=multer': () => fuzz(require('../multer')),
  '--against=middleware': () => fuzz(require('../web-forms')),
  '--against=sent': () => fuzz(require('../streamed')),
  '--against=JSON.parse': () => fuzz(require('../json-array'))
})
