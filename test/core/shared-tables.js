'use strict'

const assert = require('node:assert/strict')
const { Readable } = require('node:stream')
const sharedTables = require('../../lib/core/shared-tables')
const bodyParser = require('fast-body-parser')
const multer = require('fast-body-parser/multer')
const loadAgain = require('../support/load-again')
const loadCopy = require('../support/load-copy')

const { form } = require('../support/upload')
const within = require('../support/within')

const KEY = Symbol.for('fast-body-parser.marks.1')

/** What a copy has where the global `process` is this value. */
const loadWith = (process) =>
  within(globalThis, { process }, () => loadAgain(require.resolve('../../lib/core/shared-tables')))

describe('sharedTables', () => {
  it('are those of all copies, of any version', () => {
    for (const copy of [loadCopy(), loadCopy('2.5.100')]) assert.equal(copy('lib/core/shared-tables'), sharedTables)
  })

  it('are not seen where other code looks at the properties of the process, or of the global object', () => {
    assert.equal(Reflect.ownKeys(globalThis).includes(KEY), false)
    assert.equal(Object.getOwnPropertyDescriptor(process, KEY).enumerable, false)
  })

  it('are of the global object where there is no process, as in browsers', () => {
    const own = loadWith(undefined)
    try {
      assert.notEqual(own, sharedTables)
      assert.equal(loadWith(undefined), own)
    } finally {
      delete globalThis[KEY]
    }
  })

  it('are of one copy alone where the process is frozen', () => {
    const own = loadWith(Object.freeze({}))
    assert.notEqual(own, sharedTables)
    assert.deepEqual(Object.keys(own), Object.keys(sharedTables))
  })

  it('have the tables that another version does not know, and keep its own', () => {
    const claims = new WeakMap()
    const shared = { claims, later: 1 }
    assert.equal(loadWith({ [KEY]: shared }), shared)
    assert.equal(shared.claims, claims)
    assert.deepEqual(new Set(Object.keys(shared)), new Set([...Object.keys(sharedTables), 'later']))
  })

  describe('that nobody has made, as when a process begins,', () => {
    const LAZY = ['claims', 'closing', 'originals', 'passed', 'visits'] // the others are made by those who ask
    const buffered = true
    const type = 'multipart/form-data; boundary=b'
    const { parts } = bodyParser.multipart({ buffered })
    const own = ['json', 'urlencoded', 'multipart', 'ndjson']
    const parsers = {
      ...Object.fromEntries(own.map((name) => [name, bodyParser[name]({ buffered, type: 'multipart/form-data' })])),
      multer: multer({ buffered }).any()
    }
    const run = (parser) => (req) => new Promise((resolve) => parser(req, {}, resolve))
    const readers = Object.fromEntries(Object.entries(parsers).flatMap(([name, parser]) => [
      [name, run(parser)],
      [`read of ${name}`, (req) => parser.read(req, {}).catch((error) => error)],
      [`refuseUnparsed behind ${name}`, async (req) => await run(parser)(req) ?? run(bodyParser.refuseUnparsed())(req)]
    ]))

    const all = { ...readers, 'parts()': async (req) => { for await (const part of parts(req, {})) assert.ok(part) } }
    const body = form(['a', '1'])
    const requests = {
      'an object of an adapter': () => ({ headers: { 'content-type': type, 'content-length': '1' }, body }),
      'a stream': () => Object.assign(Readable.from([body]),
        { headers: { 'content-type': type, 'transfer-encoding': 'chunked' } })
    }
    for (const [what, create] of Object.entries(requests)) {
      for (const [name, read] of Object.entries(all)) {
        it(`can be asked by ${name} for ${what}`, async () => {
          const made = { ...sharedTables }
          for (const name of LAZY) sharedTables[name] = null
          try {
            const error = await read(create())
            assert.equal(error instanceof TypeError, false, error)
          } finally {
            Object.assign(sharedTables, made)
          }
        })
      }
    }
  })
})
