'use strict'

// The tests of the middleware's forms, run through /web.

const { Readable } = require('node:stream')
const { loadThroughWeb } = require('../../support/forms-of-web')

/** Node.js 20.0 and 22.0: `Readable.toWeb` counts chunks in the place of bytes, and so reads on. */
function readsOn () {
  const readable = new Readable({ read () {} })
  Readable.toWeb(readable)
  readable.resume()
  readable.emit('data', Buffer.alloc(2 ** 20))
  return !readable.isPaused()
}

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
    'throws request.aborted if the client left before', 'destroys a file that is read when the loop throws',
    'ends a file that is being piped before it gives the next part', 'throws stream.not.readable',
    'with the option buffered',
    'composes one parser for all requests',
    ...(readsOn() ? ['holds the request back until'] : [])
  ],
  'limits/limits': ['that was read before'],
  'limits/options': [
    'refuses { rawBody: true }', 'refuses { cooperative: true }', 'may all be left out, or be undefined',
    'may have names of other parsers that are undefined', 'may be the largest, or of any kind',
    'are shown by console.log'
  ],
  'limits/rules': [
    'is asked once for each file, with what its header says, and the request',
    'holds back the request while it decides',
    'gets the request', 'and then rejects leaves no rejection behind'
  ],
  'parts/boundary': [],
  'parts/form-charset': [],
  'parts/header': [],
  'storage/disk-names': ['calls a file what filename'],
  'storage/stores': [
    'removes its files at `', 'removes each file once', 'removes the files if the response was closed',
    'runs in the async context of the caller', 'is a function that returns no promise',
    'is a function that reads by hand, and stops', 'is a function that destroys the stream',
    'may have paused its stream when it returns', 'keeps the status of the error if it rejects within the file',
    'has its file destroyed', 'learns of a client that leaves while it works on the whole file',
    'gets no more files once the request has failed', 'delays `next` by 5 seconds at most',
    'does not count discarded bytes', 'is called for no further file once it has failed'
  ]
}

for (const [name, others] of Object.entries(FILES)) {
  describe(`fast-body-parser/web, as the middleware, ${name}:`, () => {
    loadThroughWeb(require.resolve(`../../uploads/${name}`), others)
  })
}
