'use strict'

// npm run bench: what is measured is the first argument.

require('../tools/programs')({
  '': () => require('./parsers'),
  memory: () => require('./memory'),
  multipart: () => require('./multipart'),
  ndjson: () => require('./ndjson'),
  stacks: () => require('./stacks'),
  web: () => require('./web'),
  'upload-memory': () => require('./upload-memory')
})
