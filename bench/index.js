'use strict'

// npm run bench: what is measured is the first argument.

const suite = (file, name) => () => require('./command')(require(`./suites/${file}`)[name])

require('../tools/programs')({
  '': suite('requests', 'requests'),
  memory: suite('memory', 'memory'),
  'large-bodies': suite('memory', 'large-bodies'),
  'upload-memory': suite('memory', 'upload-memory'),
  'web-memory': suite('memory', 'web-memory'),
  multipart: suite('multipart', 'multipart'),
  'json-array': suite('records', 'json-array'),
  ndjson: suite('records', 'ndjson'),
  web: suite('web', 'web'),
  'web-forms': suite('web', 'web-forms')
})
