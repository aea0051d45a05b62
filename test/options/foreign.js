'use strict'

// Options of other packages: the error, or the warning, says what they are called here.

const assert = require('node:assert/strict')
const bodyParser = require('fast-body-parser')

const DISK = 'store: multipart.disk(directory)'
const LIMITS = { bodyLimit: 'limit', maxBodySize: 'limit', maxSize: 'limit', sizeLimit: 'limit' }
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
    payloadLimit: 'limit',
    ...LIMITS
  },
  jsonArray: { maxRecords: 'max', pick: 'path', pointer: 'path', ...LIMITS },
  ndjson: { maxRecords: 'max', maxLength: 'record', skipOverflow: "onError: 'collect'", ...LIMITS }
}
const WHOLE = {
  detectJSON: 'type, as a function of the request',
  enableTypes: 'a middleware for each type',
  extendTypes: 'type',
  formLimit: 'limit of urlencoded',
  formTypes: 'type of urlencoded',
  jsonLimit: 'limit of json',
  jsonTypes: 'type of json',
  queryString: 'qs of urlencoded',
  returnRawBody: 'rawBody',
  textLimit: 'limit of text',
  textTypes: 'type of text',
  maxFields: 'parameterLimit of urlencoded',
  maxFieldsSize: 'limit',
  parseAs: 'charset of createParser: false for bytes',
  ...LIMITS
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
