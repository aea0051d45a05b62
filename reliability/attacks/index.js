'use strict'

// npm run attacks: single attacks, or scenarios of many clients.

require('../../tools/programs')({
  '': () => require('./single'),
  scenarios: () => require('./scenarios')
})
