'use strict'

const assert = require('node:assert/strict')
const { spawnSync } = require('node:child_process')
const path = require('node:path')
const { format } = require('node:util')
const { runInThisContext } = require('node:vm')
const zlib = require('node:zlib')
const debug = require('debug')
const subject = require('fast-body-parser')
const multer = require('fast-body-parser/multer')
const exchange = require('../../support/exchange')
const logCalls = require('../../../lib/core/insight/debug')

const gzip = zlib.gzipSync('{"a":1}').toString('base64')
const form = 'application/x-www-form-urlencoded'

// [what, parser, options, headers, body, lines without their namespace]
const cases = [
  ['no body', 'json', '{}', {}, undefined, ['skip empty body']],
  ['a second parser', 'json', '{}', { 'content-type': 'application/json' }, '{}',
    [
      'content-type "application/json"', 'content-encoding "identity"', 'read body', 'parse body', 'parse json',
      'body already parsed'
    ],
    true],
  ['another type', 'json', '{}', { 'content-type': 'a/b' }, 'x', ['content-type "a/b"', 'skip parsing']],
  ['no type', 'json', '{}', {}, 'x', ['content-type undefined', 'skip parsing']],
  ['a refused charset', 'json', '{}', { 'content-type': 'application/json; charset=x' }, '{}',
    ['content-type "application/json; charset=x"', 'invalid charset']],
  ['JSON', 'json', '{}', { 'content-type': 'application/json' }, '{}',
    ['content-type "application/json"', 'content-encoding "identity"', 'read body', 'parse body', 'parse json']],
  ['JSON in slices', 'json', '{ cooperative: { threshold: 0 } }', { 'content-type': 'application/json' }, '{}',
    ['content-type "application/json"', 'content-encoding "identity"', 'read body', 'parse body', 'parse json']],
  ['lenient JSON', 'json', '{ strict: false }', { 'content-type': 'application/json' }, '5',
    ['content-type "application/json"', 'content-encoding "identity"', 'read body', 'parse body', 'parse json']],
  ['an empty body', 'json', '{}', { 'content-type': 'application/json' }, '',
    ['content-type "application/json"', 'content-encoding "identity"', 'read body', 'parse body']],
  ['an empty body, lenient', 'json', '{ strict: false }', { 'content-type': 'application/json' }, '',
    ['content-type "application/json"', 'content-encoding "identity"', 'read body', 'parse body']],
  ['a strict violation', 'json', '{}', { 'content-type': 'application/json' }, '5',
    ['content-type "application/json"', 'content-encoding "identity"', 'read body', 'parse body', 'strict violation']],
  ['white space', 'json', '{}', { 'content-type': 'application/json' }, '  ', undefined],
  ['verify', 'json', '{ verify () {} }', { 'content-type': 'application/json' }, '{}',
    [
      'content-type "application/json"', 'content-encoding "identity"', 'read body', 'verify body', 'parse body',
      'parse json'
    ]],
  ['a verify that throws', 'json', '{ verify () { throw new Error() } }', { 'content-type': 'application/json' }, '{}',
    ['content-type "application/json"', 'content-encoding "identity"', 'read body', 'verify body']],
  ['gzip', 'json', '{}', { 'content-type': 'application/json', 'content-encoding': 'GZIP' }, gzip,
    [
      'content-type "application/json"', 'content-encoding "gzip"', 'gunzip body', 'read body', 'parse body',
      'parse json'
    ]],
  ['deflate', 'json', '{}', { 'content-type': 'application/json', 'content-encoding': 'deflate' }, 'junk',
    ['content-type "application/json"', 'content-encoding "deflate"', 'inflate body', 'read body']],
  ['br', 'json', '{}', { 'content-type': 'application/json', 'content-encoding': 'br' }, 'junk',
    ['content-type "application/json"', 'content-encoding "br"', 'brotli decompress body', 'read body']],
  ['an unknown coding', 'json', '{}', { 'content-type': 'application/json', 'content-encoding': 'X' }, 'junk',
    ['content-type "application/json"', 'content-encoding "x"']],
  ['a coding that objects inherit', 'json', '{}',
    { 'content-type': 'application/json', 'content-encoding': 'constructor' }, 'junk',
    ['content-type "application/json"', 'content-encoding "constructor"']],
  ['inflate: false', 'json', '{ inflate: false }', { 'content-type': 'application/json', 'content-encoding': 'gzip' },
    'junk', ['content-type "application/json"', 'content-encoding "gzip"']],
  ['text', 'text', '{}', { 'content-type': 'text/plain' }, 'a',
    ['content-type "text/plain"', 'content-encoding "identity"', 'read body', 'parse body']],
  ['bytes', 'raw', '{}', { 'content-type': 'application/octet-stream' }, 'a',
    ['content-type "application/octet-stream"', 'content-encoding "identity"', 'read body', 'parse body']],
  ['a form', 'urlencoded', '{}', { 'content-type': form }, 'a=1',
    [`content-type "${form}"`, 'content-encoding "identity"', 'read body', 'parse body', 'parse urlencoding']],
  ['an extended form', 'urlencoded', '{ extended: true }', { 'content-type': form }, 'a=1',
    [`content-type "${form}"`, 'content-encoding "identity"', 'read body', 'parse body', 'parse extended urlencoding']],
  ['an empty form', 'urlencoded', '{}', { 'content-type': form }, '',
    [`content-type "${form}"`, 'content-encoding "identity"', 'read body', 'parse body']],
  ['too many parameters', 'urlencoded', '{ parameterLimit: 1 }', { 'content-type': form }, 'a&b',
    [`content-type "${form}"`, 'content-encoding "identity"', 'read body', 'parse body', 'too many parameters']],
  ['as many parameters as are allowed', 'urlencoded', '{ parameterLimit: 2 }', { 'content-type': form }, 'a&b',
    [`content-type "${form}"`, 'content-encoding "identity"', 'read body', 'parse body', 'parse urlencoding']],
  ['a body over the limit', 'json', '{ limit: 0 }', { 'content-type': 'application/json' }, '{}',
    ['content-type "application/json"', 'content-encoding "identity"', 'read body']],
  ['an unknown charset', 'json', '{}', { 'content-type': 'application/json; charset=utf-x' }, '{}',
    ['content-type "application/json; charset=utf-x"', 'content-encoding "identity"', 'read body']],
  ['an unknown charset with verify', 'json', '{ verify () {} }', { 'content-type': 'application/json; charset=utf-x' },
    '{}', ['content-type "application/json; charset=utf-x"']]
]

// One process serves all cases; the lines of a case follow its name.
const SCRIPT = `
  const http = require('node:http')
  const bodyParser = require(process.argv[1])
  const cases = JSON.parse(process.argv[2])
  let handler
  const server = http.createServer((req, res) => handler(req, res)).listen(0, '127.0.0.1', async () => {
    for (const row of cases) await run(row)
    server.close()
  })
  function run ([what, parser, options, headers, body,, twice]) {
    console.error('case ' + what)
    const middleware = bodyParser[parser](eval('(' + options + ')'))
    handler = (req, res) => {
      const last = () => res.end()
      middleware(req, res, twice ? () => setImmediate(middleware, req, res, last) : last)
    }
    const bytes = body === null ? undefined : Buffer.from(body, what === 'gzip' ? 'base64' : 'latin1')
    const fields = bytes === undefined ? headers : { ...headers, 'content-length': bytes.length }
    return new Promise((resolve) => {
      const { port } = server.address()
      const method = bytes === undefined ? 'GET' : 'POST'
      const req = http.request({ port, host: '127.0.0.1', method, headers: fields }, (res) => {
        res.resume().on('end', resolve)
      })
      req.end(bytes)
    })
  }
`

/** @returns {Map<string, string[]>} the lines of each case */
function linesOf (name, debug) {
  const { stderr } = spawnSync(process.execPath, ['--eval', SCRIPT, name, JSON.stringify(cases)], {
    cwd: path.join(__dirname, '../../../'),
    encoding: 'utf8',
    env: { ...process.env, DEBUG: debug, DEBUG_COLORS: 'no', DEBUG_HIDE_DATE: 'yes' }
  })
  const lines = new Map()
  let current
  for (const line of stderr.trim().split('\n')) {
    if (line.startsWith('case ')) lines.set(line.slice(5), current = [])
    else if (line.includes('body-parser:')) current.push(line.trim())
  }
  return lines
}

/** The lines of one case, in this process. */
async function trace ([what, parser, options, headers, body,, twice], factories = subject) {
  const before = { DEBUG: process.env.DEBUG, log: debug.log, options: { ...debug.inspectOpts } }
  const lines = []
  debug.log = (...args) => lines.push(format(...args))
  Object.assign(debug.inspectOpts, { colors: false, hideDate: true })
  debug.enable('body-parser:*')
  try {
    const middleware = factories[parser](runInThisContext(`(${options})`))
    const second = (req, res, next) => middleware(req, res, () => setImmediate(middleware, req, res, next))
    const bytes = Buffer.from(body ?? '', what === 'gzip' ? 'base64' : 'latin1')
    const fields = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`).join('')
    const head =
      `POST / HTTP/1.1\r\nHost: test\r\n${fields}${body === undefined ? '' : `Content-Length: ${bytes.length}\r\n`}\r\n`
    await exchange(twice ? second : middleware, { head, pieces: [bytes] })
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
  let ours
  let theirs

  before(() => {
    ours = linesOf('.', 'body-parser:*')
    theirs = linesOf('body-parser', 'body-parser:*')
  })

  for (const [what, parser,,,, expected] of cases) {
    it(`logs the same lines as body-parser for ${what}`, () => {
      assert.ok(theirs.get(what).length > 0)
      assert.deepEqual(ours.get(what), theirs.get(what))
      if (expected !== undefined) {
        assert.deepEqual(ours.get(what), expected.map((line) => `body-parser:${parser} ${line}`))
      }
    })
  }

  for (const row of cases) {
    const [what, parser,,,, expected = [
      'content-type "application/json"', 'content-encoding "identity"', 'read body', 'parse body', 'strict violation'
    ]] = row
    it(`logs these lines if a program enables it before the parser is made, for ${what}`, async () => {
      assert.deepEqual(await trace(row), expected.map((line) => `body-parser:${parser} ${line}`))
    })
  }

  it('logs that zstd is undone where Node can do so', async () => {
    const headers = { 'content-type': 'application/json', 'content-encoding': 'zstd' }
    const expected = ['content-type "application/json"', 'content-encoding "zstd"']
    if (zlib.createZstdDecompress !== undefined) expected.push('zstd decompress body', 'read body')
    assert.deepEqual(await trace(['zstd', 'json', '{}', headers, 'junk']),
      expected.map((line) => `body-parser:json ${line}`))
  })

  it('logs as body-parser:custom for createParser', async () => {
    const row = ['', 'createParser', "{ type: 'a/b', parse: (text) => text }", { 'content-type': 'a/b' }, 'x']
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
      const lines = await trace(['', 'any', '{}', headers, '--b--\r\n'], multer())
      assert.deepEqual(lines, expected.map((line) => `body-parser:multer ${line}`))
    }
  })
})

describe('logCalls', () => {
  const DRAFT = { namespace: 'json', traceLine: () => null }
  const before = process.env.DEBUG
  const calls = { match () {}, verify: undefined, parse () {} }

  afterEach(() => {
    require('debug').disable()
    if (before === undefined) delete process.env.DEBUG
    else process.env.DEBUG = before
  })

  it('returns the functions themselves while the namespace of the parser is not enabled', () => {
    require('debug').enable('body-parser:raw')
    assert.equal(logCalls(calls, DRAFT, true), calls)
  })

  it('returns functions that log once a program enables the namespace', () => {
    require('debug').enable('body-parser:json')
    const { match, verify, parse } = logCalls(calls, DRAFT, true)
    assert.notEqual(match, calls.match)
    assert.notEqual(parse, calls.parse)
    assert.equal(verify, undefined)
  })

  it('returns a verify of as many parameters, which tell what it is given', () => {
    require('debug').enable('body-parser:json')
    for (const verify of [(req, res, bytes, charset) => {}, (req, res, bytes, charset, { signal }) => {}]) {
      assert.equal(logCalls({ ...calls, verify }, DRAFT, true).verify.length, verify.length)
    }
  })
})
