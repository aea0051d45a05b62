'use strict'

// Options of other packages: the error, or the warning, says what they are called here.

const assert = require('node:assert/strict')
const bodyParser = require('fast-body-parser')

/** Some of those that lib/options/foreign.js lists: of other parsers, and of all of ours. */
const HERE = {
  multipart: {
    dest: 'store: multipart.disk(directory)',
    limits: 'limit, fields, files and parts',
    fileFilter: 'types or filter of a rule in files',
    useTempFiles: 'store: multipart.disk(directory)',
    bodyLimit: 'limit'
  },
  jsonArray: { pointer: 'path', maxSize: 'limit' },
  ndjson: { maxRecords: 'max', maxLength: 'record', skipOverflow: "onError: 'collect'", maxBodySize: 'limit' }
}
const WHOLE = {
  jsonLimit: 'limit of json',
  returnRawBody: 'rawBody',
  enableTypes: 'a middleware for each type',
  sizeLimit: 'limit'
}

describe('an option of another package', () => {
  const emit = process.emitWarning
  afterEach(() => { process.emitWarning = emit })

  for (const [name, here] of Object.entries(WHOLE)) {
    it(`is a warning of the parsers of whole bodies, once in a process: ${name}`, () => {
      const warnings = []
      process.emitWarning = (message, { code }) => warnings.push([message, code])
      for (const parser of ['json', 'raw', 'text', 'urlencoded']) bodyParser[parser]({ [name]: 1 })
      assert.deepEqual(warnings,
        [[`option ${name} is unknown and has no effect: here it is ${here}`, 'FAST_BODY_PARSER_OPTION']])
    })
  }

  for (const [parser, names] of Object.entries(HERE)) {
    for (const [name, here] of Object.entries(names)) {
      it(`is a TypeError of ${parser} that says what it is called here: ${name}`, () => {
        assert.throws(() => bodyParser[parser]({ [name]: 1 }), ({ constructor, message }) => {
          assert.equal(constructor, TypeError)
          assert.ok(message.includes(name) && message.endsWith(`here it is ${here}`), message)
          return true
        })
      })
    }
  }
})
