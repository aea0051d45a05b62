'use strict'

// The tests of the middleware's forms, run through /web.

const { loadThroughWeb } = require('../../support/forms-of-web')

/**
 * File -> titles of tests that are about a request or a response of Node.js, about a file that is a stream of Node.js,
 * or about an option that /web does not have.
 */
const FILES = {
  'form/first-boundary': ['where multer loses it', 'may end with NUL, as with multer'],
  'form/forms': [],
  'form/nest': [],
  'form/other-types': [],
  'form/parts': [
    'may be replaced by tools that instrument a parser', 'reads nothing before the first part is asked for',
    'throws request.aborted if the client left before', 'makes a file that is read an error when the loop throws',
    'ends a file that is being piped before it gives the next part',
    'with the option buffered'
  ],
  'form/streamed-files': [
    'fails with what a setter of the app throws', 'with the option buffered', 'may be read by a promise of the fields',
    'needs next', 'be it the same again', 'refuses by the schema before a byte of a file has come',
    'discards the rest if it is never begun', 'throws what ended it if it begins after the answer'
  ],
  'limits/limits': ['that was read before'],
  'limits/options': [
    'refuses { rawBody: true }', 'refuses { cooperative: true }', 'may all be left out, or be undefined',
    'may be the largest, or of any kind'
  ],
  'limits/rules': [
    'is asked once for each file, with what its header says, and the request',
    'gets the request', 'and then rejects leaves no rejection behind'
  ],
  'parts/boundary': [],
  'parts/form-charset': [],
  'parts/header': [],
  'storage/disk-names': ['calls a file what filename'],
  'storage/disk': ['removes the files if the response was closed'],
  'storage/stores': [
    'runs in the async context of the caller', 'is a function that returns no promise',
    'is a function that reads by hand, and stops', 'is a function that destroys the stream',
    'may have paused its stream when it returns', 'keeps the status of the error if it rejects after',
    'keeps the status of the error if it rejects within', 'keeps the status of the error if it throws',
    'keeps the status of the error if it rejects', 'learns of a client that leaves while it works on the whole file',
    'delays `next` by 5 seconds at most',
    'does not count discarded bytes', 'is called for no further file once it has failed'
  ]
}

for (const [name, others] of Object.entries(FILES)) {
  describe(`fast-body-parser/web, as the middleware, ${name}:`, () => {
    loadThroughWeb(require.resolve(`../../uploads/${name}`), others)
  })
}
