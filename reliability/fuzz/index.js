'use strict'

// npm run fuzz: random requests through this package and through what it replaces.

require('../../tools/programs')({
  '': () => require('./command'),
  '--against=body-parser': () => require('./command'),
  '--against=multer': () => require('../multer'),
  '--against=JSON.parse': () => require('../json-array')
})
