'use strict'

// npm run fuzz: random requests through this package and through what it replaces.

const fuzz = require('./command')

require('../../tools/programs')({
  '': () => fuzz(require('./side')),
  '--against=body-parser': () => fuzz(require('./side')),
  '--against=multer': () => fuzz(require('../forms/multer')),
  '--against=sent': () => fuzz(require('../forms/sent')),
  '--against=JSON.parse': () => fuzz(require('../json-array'))
})
