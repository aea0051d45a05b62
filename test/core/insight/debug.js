'use strict'

const assert = require('node:assert/strict')
const { format } = require('node:util')
const zlib = require('node:zlib')
const oracle = require('body-parser')
const debug = require('debug')
const subject = require('fast-body-parser')
const multer = require('fast-body-parser/multer')
const exchange = require('../../support/exchange')
const { messageOf } = require('../../support/lanes')
const logCalls = require('../../../lib/core/insight/debug')

const gzip = zlib.gzipSync('{"a":1}')

const JSON_TYPE = { 'content-type': 'application/json' }
const FORM_TYPE = { 'content-type': 'application/x-www-form-urlencoded' }
const typed = (type) => ({ 'content-type': type })
const coded = (coding) => ({ ...JSON_TYPE, 'content-encoding': coding })

// [what, parser, options, headers, body, whether two parsers follow one another]
const cases = [
  ['no body', 'json', {}, {}, undefined],
  ['a second parser', 'json', {}, JSON_TYPE, '{}', true],
  ['another type', 'json', {}, typed('a/b'), 'x'],
  ['a refused charset', 'json', {}, typed('application/json; charset=x'), '{}'],
  ['JSON', 'json', {}, JSON_TYPE, '{}'],
  ['JSON in slices', 'json', { cooperative: { threshold: 0 } }, JSON_TYPE, '{}'],
  ['an empty body', 'json', {}, JSON_TYPE, ''],
  ['a strict violation', 'json', {}, JSON_TYPE, '5'],
  ['white space', 'json', {}, JSON_TYPE, '  '],
  ['verify', 'json', { verify () {} }, JSON_TYPE, '{}'],
  ['a verify that throws', 'json', { verify () { throw new Error() } }, JSON_TYPE, '{}'],
  ['gzip', 'json', {}, coded('GZIP'), gzip],
  ['deflate', 'json', {}, coded('deflate'), 'junk'],
  ['br', 'json', {}, coded('br'), 'junk'],
  ['an unknown coding', 'json', {}, coded('X'), 'junk'],
  ['inflate: false', 'json', { inflate: false }, coded('gzip'), 'junk'],
  ['text', 'text', {}, typed('text/plain'), 'a'],
  ['bytes', 'raw', {}, typed('application/octet-stream'), 'a'],
  ['a form', 'urlencoded', {}, FORM_TYPE, 'a=1'],
  ['an extended form', 'urlencoded', { extended: true }, FORM_TYPE, 'a=1'],
  ['an empty form', 'urlencoded', {}, FORM_TYPE, ''],
  ['too many parameters', 'urlencoded', { parameterLimit: 1 }, FORM_TYPE, 'a&b'],
  ['as many parameters as are allowed', 'urlencoded', { parameterLimit: 2 }, FORM_TYPE, 'a&b'],
  ['a body over the limit', 'json', { limit: 0 }, JSON_TYPE, '{}'],
  ['an unknown charset', 'json', {}, typed('application/json; charset=utf-x'), '{}'],
  ['an unknown charset with verify', 'json', { verify () {} }, typed('application/json; charset=utf-x'), '{}']
]

/** The lines of one case. */
async function trace ([, parser, options, headers, body, twice], factories = subject) {
  const before = { DEBUG: process.env.DEBUG, log: debug.log, options: { ...debug.inspectOpts } }
  const lines = []
  debug.log = (...args) => lines.push(format(...args))
  Object.assign(debug.inspectOpts, { colors: false, hideDate: true })
  debug.enable('body-parser:*')
  try {
    const middleware = factories[parser](options)
    const second = (req, res, next) => middleware(req, res, () => setImmediate(middleware, req, res, next))
    await exchange(twice ? second : middleware, messageOf({ headers, body }))
  } finally {
    debug.disable()
    debug.log = before.log
    for (const name of ['colors', 'hideDate']) delete debug.inspectOpts[name]
    Object.assign(debug.inspectOpts, before.options)
    if (before.DEBUG !== undefined) debug.enable(before.DEBUG)
  }
  return lines
}

describe('DEBUG=body-parser:*', () => {
  for (const row of cases) {
    it(`logs the same lines as body-parser for ${row[0]}`, async () => {
      const expected = await trace(row, oracle)
      assert.notDeepEqual(expected, [])
      assert.deepEqual(await trace(row), expected)
    })
  }

  it('logs that zstd is undone where Node can do so', async () => {
    const headers = { 'content-type': 'application/json', 'content-encoding': 'zstd' }
    const expected = ['content-type "application/json"', 'content-encoding "zstd"']
    if (zlib.createZstdDecompress !== undefined) expected.push('zstd decompress body', 'read body')
    assert.deepEqual(await trace(['zstd', 'json', {}, headers, 'junk']),
      expected.map((line) => `body-parser:json ${line}`))
  })

  it('logs as body-parser:custom for createParser', async () => {
    const row = ['', 'createParser', { type: 'a/b', parse: (text) => text }, { 'content-type': 'a/b' }, 'x']
    const expected = ['content-type "a/b"', 'content-encoding "identity"', 'read body', 'parse body']
    assert.deepEqual(await trace(row), expected.map((line) => `body-parser:custom ${line}`))
  })

  it('logs as body-parser:multer for the drop-in for multer', async () => {
    const type = 'multipart/form-data; boundary=b'
    const rows = [
      [{ 'content-type': type }, [`content-type "${type}"`, 'content-encoding "identity"', 'read body']],
      [{ 'content-type': type, 'content-encoding': 'gzip' }, [`content-type "${type}"`, 'content-encoding "gzip"']],
      [{ 'content-type': 'a/b' }, ['content-type "a/b"', 'skip parsing']]
    ]
    for (const [headers, expected] of rows) {
      const lines = await trace(['', 'any', {}, headers, '--b--\r\n'], multer())
      assert.deepEqual(lines, expected.map((line) => `body-parser:multer ${line}`))
    }
  })
})

describe('logCalls', () => {
  const DRAFT = { namespace: 'json', traceLine: () => null }
  const before = process.env.DEBUG
  const calls = { match () {}, verify: undefined, parse () {} }

  afterEach(() => {
    debug.disable()
    if (before === undefined) delete process.env.DEBUG
    else process.env.DEBUG = before
  })

  it('returns the functions themselves while the namespace of the parser is not enabled', () => {
    debug.enable('body-parser:raw')
    assert.equal(logCalls(calls, DRAFT, true), calls)
  })

  it('returns functions that log once a program enables the namespace', () => {
    debug.enable('body-parser:json')
    const { match, verify, parse } = logCalls(calls, DRAFT, true)
    assert.notEqual(match, calls.match)
    assert.notEqual(parse, calls.parse)
    assert.equal(verify, undefined)
  })

  it('returns a verify of as many parameters, which tell what it is given', () => {
    debug.enable('body-parser:json')
    for (const verify of [(req, res, bytes, charset) => {}, (req, res, bytes, charset, { signal }) => {}]) {
      assert.equal(logCalls({ ...calls, verify }, DRAFT, true).verify.length, verify.length)
    }
  })
})
