'use strict'

// npm run test:load: two targets under load; the others are tables of many such comparisons.

require('../tools/programs')({
  '': () => require('./load'),
  '--gains': () => require('./gains'),
  '--planted': () => require('./planted')
})
