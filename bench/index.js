'use strict'

// npm run bench: what is measured is the first argument.

require('../tools/programs')({
  '': () => require('./parsers'),
  memory: () => require('./bursts'),
  'large-bodies': () => require('./one-body')('large-bodies'),
  multipart: () => require('./multipart'),
  'json-array': () => require('./records')('json-array'),
  ndjson: () => require('./records')('ndjson'),
  'small-records': () => require('./records')('small-records'),
  web: () => require('./web'),
  'web-forms': () => require('./web-forms'),
  'web-memory': () => require('./one-body')('web-memory'),
  'upload-memory': () => require('./one-body')('upload-memory')
})
