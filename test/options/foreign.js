'use strict'

// Options of other packages: the error says what they are called here.

const assert = require('node:assert/strict')
const bodyParser = require('fast-body-parser')

const DISK = 'store: multipart.disk(directory)'
const HERE = {
  multipart: {
    dest: DISK,
    fileFilter: 'types or filter of a rule in files',
    limits: 'limit, fields, files and parts',
    storage: 'store',
    fileWriteStreamHandler: 'store',
    filter: 'types or filter of a rule in files',
    maxFieldsSize: 'fields.size',
    maxFields: 'fields.max',
    maxFileSize: 'size of a rule in files',
    maxFiles: 'max of a rule in files',
    maxTotalFileSize: 'total',
    uploadDir: DISK,
    abortOnLimit: 'always so',
    parseNested: 'extended',
    tempFileDir: DISK,
    uploadTimeout: 'timeout',
    useTempFiles: DISK,
    fileCountLimit: 'max of a rule in files',
    fileSizeLimit: 'size of a rule in files',
    payloadLimit: 'limit'
  },
  ndjson: { maxRecords: 'max', maxLength: 'record', skipOverflow: "onError: 'collect'" }
}

describe('an option of another package', () => {
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
