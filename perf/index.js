'use strict'

// npm run test:load: two targets under load; or a table of many such comparisons.

require('../tools/programs')({
  '': () => require('./load'),
  '--gains': () => require('./gains')
})
