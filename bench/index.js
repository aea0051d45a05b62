'use strict'

// npm run bench: what is measured is the first argument.

require('../tools/programs')({
  '': () => require('./parsers'),
  memory: () => require('./memory'),
  'json-array': () => require('./json-array'),
  'large-bodies': () => require('./large-bodies'),
  multipart: () => require('./multipart'),
  ndjson: () => require('./ndjson'),
  'small-records': () => require('./small-records'),
  stacks: () => require('./stacks'),
  web: () => require('./web'),
  'web-forms': () => require('./web-forms'),
  'web-memory': () => require('./web-memory'),
  'upload-memory': () => require('./upload-memory')
})
