'use strict'

// docs/differences.md, section by section: what body-parser does, and what this
// package does. README has the list; all others follow its order.

const assert = require('node:assert/strict')
const { EventEmitter } = require('node:events')
const http2 = require('node:http2')
const { PassThrough } = require('node:stream')
const { setImmediate: turn } = require('node:timers/promises')
const zlib = require('node:zlib')
const bodyParser = require('body-parser')
const subject = require('fast-body-parser')
const { NOT_MET, RULES } = require('../../reliability/fuzz/allowed-differences')
const { serializeHead } = require('../../tools/http-message')
const confusesKeys = require('../support/confuses-keys')
const HANG_TIME = require('../support/hang-time')
const { read, slugOf } = require('../support/pages')
const serving = require('../support/serving')
const { connect } = require('../support/shared-server')
const TYPES = require('../support/types')

const page = read('docs/differences.md')
const readme = read('README.md')
const identifiers = Array.from(readme.matchAll(/^\d+\. \[.*?\]\(docs\/differences\.md#(.*?)\)/gm), ([, id]) => id)
const titles = Array.from(page.matchAll(/^## (.*)/gm), ([, title]) => title)

const JSON_TYPE = { 'content-type': TYPES.json }
const FORM_TYPE = { 'content-type': TYPES.urlencoded }
const TEXT_TYPE = { 'content-type': TYPES.text }

/** @returns {PassThrough} a request of a framework whose requests are plain streams */
function createRequest (headers) {
  return Object.assign(new PassThrough(), { headers: { 'transfer-encoding': 'chunked', ...headers }, method: 'POST' })
}

/** What a middleware calls `next` with, and `req.body`, for pieces that arrive one after another. */
async function parse (middleware, headers, ...pieces) {
  const req = createRequest(headers)
  const outcome = new Promise((resolve) => middleware(req, {}, (error) => resolve({ error, body: req.body })))
  for (const piece of pieces) {
    req.write(piece)
    await turn()
  }
  req.end()
  return outcome
}

/** The same for a request whose events the test emits, so that it sees what a listener throws. */
function emit (middleware, headers, body) {
  const req = Object.assign(new EventEmitter(), { headers, method: 'POST', resume () {} })
  const seen = {}
  middleware(req, {}, (error) => { seen.error = error })
  req.emit('data', body)
  req.emit('end')
  return { ...seen, body: req.body }
}

/** @returns {string} the status and the type of an error, or what is thrown instead of it */
async function failureOf (act) {
  try {
    const { error } = await act()
    return error === undefined ? 'none' : `${error.status} ${error.type}`
  } catch (error) {
    return `thrown ${error.name}`
  }
}

/** Serves one request. `use` gets the connection, when the header is sent. */
async function serve (handler, headers, use) {
  const talk = await connect(handler)
  talk.write(serializeHead({}, { host: 'test', ...headers }))
  try {
    return await use(talk)
  } finally {
    talk.peer.destroy()
  }
}

const DEPENDS = 'depends on the cuts'
const byteByByte = (bytes) => Array.from(bytes, (byte) => Buffer.of(byte))

/** What `act` gives for the bytes in one piece, byte by byte, and cut in two at each place. */
async function atEachCut (bytes, act) {
  const pairs = Array.from({ length: bytes.length - 1 }, (_, i) => [bytes.subarray(0, i + 1), bytes.subarray(i + 1)])
  const results = new Set()
  for (const pieces of [[bytes], ...pairs, byteByByte(bytes)]) results.add(await act(pieces))
  return results.size > 1 ? DEPENDS : [...results][0]
}

async function isPausedBehind (pause, parser) {
  const req = createRequest(JSON_TYPE)
  pause(req)
  const parsed = new Promise((resolve) => parser(req, {}, resolve))
  const isPaused = req.readableFlowing === false
  req.end('{"a":1}')
  req.resume()
  await parsed
  assert.deepEqual(req.body, { a: 1 })
  return isPaused
}

function pipeAndUnpipe (req) {
  req.pipe(new PassThrough())
  req.unpipe()
}

async function orderOfAbort ({ json }) {
  const order = []
  const listener = (req, res) => {
    const { emit } = req
    req.emit = function (name, ...args) {
      const result = emit.call(this, name, ...args)
      if (name === 'aborted') order.push(name)
      return result
    }
    json()(req, res, () => order.push('next'))
  }
  await serve(listener, { ...JSON_TYPE, 'content-length': 100 }, async (talk) => {
    await talk.delivered()
    const closed = new Promise((resolve) => talk.peer.once('close', resolve))
    talk.close()
    await closed
    await turn()
  })
  return order
}

const getter = Object.defineProperty(new Error('no'), 'status', { get: () => 402 })
const verifying = (thrown) => ({ json }) =>
  failureOf(() => emit(json({ verify: () => { throw thrown } }), { ...JSON_TYPE, 'content-length': '2' }, '{}'))
const crashes = ([what, thrown, status = 403]) =>
  [`verify throws ${what}`, 'thrown TypeError', `${status} entity.verify.failed`, verifying(thrown)]

/** A promise that rejects, but that nothing reports if it is ignored. */
const rejected = { then: (resolve, reject) => reject(new Error('no')) }

async function bodyOverHttp2 ({ json }) {
  const server = http2.createServer((req, res) =>
    json()(req, res, () => res.end(JSON.stringify(req.body ?? 'skipped'))))
  return serving(server, async (port) => {
    const client = http2.connect(`http://127.0.0.1:${port}`)
    const stream = client.request({ ':method': 'POST', ...JSON_TYPE }) // and no content-length
    stream.end('{"a":1}')
    const chunks = await stream.toArray()
    client.close()
    return JSON.parse(Buffer.concat(chunks))
  })
}

async function drained ({ raw }) {
  const calls = []
  const listener = (req, res) => {
    req.on('error', () => {})
    raw({ limit: 10, drainLimit: 1000, type: () => true })(req, res, (error) => {
      calls.push(error.type)
      res.end()
    })
  }
  return serve(listener, { 'content-length': 1e9 }, async (talk) => {
    talk.write(Buffer.alloc(5000))
    await talk.delivered()
    await turn()
    if (calls.length === 0) return 'waits'
    await talk.until(() => talk.answers > 0, HANG_TIME)
    return [...calls, /^connection: (.*)\r$/mi.exec(talk.text)[1]]
  })
}

async function bodyOfTypesChangedLater ({ text }) {
  const type = ['a/b', 'c/*']
  const parser = text({ type })
  type.push('text/plain')
  return (await parse(parser, TEXT_TYPE, 'body')).body
}

async function receiverOfType ({ text }) {
  let receiver
  const type = function () { receiver = typeof this }
  await parse(text({ type }), FORM_TYPE, 'body')
  return receiver
}

const manyFields = Array.from({ length: 1001 }, (_, i) => `a${i}=1`).join('&')

const characters = ([charset, bytes, text]) => [`a text of ${charset}`, DEPENDS, text, (bodyParser) => {
  const headers = { 'content-type': `text/plain; charset=${charset}` }
  return atEachCut(bytes, async (pieces) => (await parse(bodyParser.text(), headers, ...pieces)).body)
}]

async function hasMessageInStack ({ json }) {
  const { error } = await parse(json(), JSON_TYPE, '$& x')
  return error.stack.split('\n')[0] === `SyntaxError: ${error.message}`
}

async function orderOfCoded ({ json }) {
  const bytes = zlib.gzipSync('{}')
  const order = []
  const listener = (req, res) => {
    json()(req, res, () => {
      order.push('next')
      res.end()
    })
    req.on('end', () => order.push('end')).on('close', () => order.push('close'))
  }
  const headers = { ...JSON_TYPE, 'content-encoding': 'gzip', 'content-length': bytes.length }
  await serve(listener, headers, (talk) => {
    talk.write(bytes)
    return talk.until(() => talk.answers > 0, HANG_TIME)
  })
  return order
}

const noise = Array.from({ length: 300 }, (_, index) => (index * 7919 % 36).toString(36)).join('')
const coded = zlib.gzipSync(noise)
const faulty = Buffer.from(coded)
faulty[faulty.length - 6] ^= 1 // of the checksum

const codedFailure = (bytes) => async ({ raw }) => {
  const headers = {
    'content-encoding': 'gzip',
    'transfer-encoding': undefined,
    'content-length': String(bytes.length)
  }
  const errors = new Set()
  for (const pieces of [[bytes], byteByByte(bytes)]) {
    const { error } = await parse(raw({ limit: 10, type: () => true }), headers, ...pieces)
    errors.add(`${error.status} ${error.received}`)
  }
  return errors.size > 1 ? DEPENDS : [...errors][0]
}

const bodyOfString = (length) => ({ json }) => emit(json(), { ...JSON_TYPE, 'content-length': length }, '["é"]').body

async function keyAfterAnother ({ json }) {
  const { body: first } = await parse(json(), JSON_TYPE, '{"key of a difference":1,"\\\\":2}')
  const { body: second } = await parse(json(), JSON_TYPE, '{"key of a difference":1,"\\u00e9":2}')
  assert.equal(first['\\'], 2)
  return Object.keys(second)[1]
}

/** Section -> [what is looked at, what it is with body-parser, what it is here, how to see it] */
const SECTIONS = {
  'Paused requests': [
    ['the request is paused, by pause()', true, false, ({ json }) => isPausedBehind((req) => req.pause(), json())],
    ['the request is paused, by unpipe()', true, false, ({ json }) => isPausedBehind(pipeAndUnpipe, json())]
  ],
  'Requests that end early': [
    ['when next is called', ['next', 'aborted'], ['aborted', 'next'], orderOfAbort]
  ],
  'What verify throws': [
    ['null', null],
    ['undefined', undefined],
    ['a number', 5],
    ['a function', () => {}],
    ['a frozen error', Object.freeze(new Error('no'))],
    ['an error with a getter', getter, 402]
  ].map(crashes),
  'Promises of verify': [
    ['a promise is awaited', 'none', '403 entity.verify.failed',
      ({ json }) => failureOf(() => parse(json({ verify: () => rejected }), JSON_TYPE, '{}'))]
  ],
  'Bodies over HTTP/2': [
    ['a body whose length is not declared', 'skipped', { a: 1 }, bodyOverHttp2]
  ],
  'Draining after an error': [
    ['drainLimit ends it', 'waits', ['entity.too.large', 'close'], drained]
  ],
  'Wrong options': [
    ['a defaultCharset that is not a string', 'taken', 'option defaultCharset must be a string', ({ json }) => {
      try {
        return json({ defaultCharset: 5 }) && 'taken'
      } catch ({ message }) {
        return message
      }
    }],
    ['a request instead of options', 'none', 'thrown TypeError',
      ({ json }) => failureOf(() => json(createRequest(JSON_TYPE), {}, () => {}))],
    ['fields within parameterLimit: "Infinity"', 1000, 1001, async ({ urlencoded }) =>
      Object.keys((await parse(urlencoded({ parameterLimit: 'Infinity' }), FORM_TYPE, manyFields)).body).length],
    ['a list of types that is changed later', 'body', undefined, bodyOfTypesChangedLater],
    ['`this` of a type function', 'object', 'undefined', receiverOfType]
  ],
  'Characters that are cut': [
    ['utf-7', Buffer.from('+AOQgrA- +- a'), 'ä€ + a'],
    ['big5', Buffer.from([0x88, 0x62, 0x41]), 'Ê̄A'],
    ['gb18030', Buffer.from([0x94, 0x32, 0xBE, 0x34, 0x41]), '𝄞A'],
    ['gbk', Buffer.from([0x81, 0x30, 0x41]), '\uFFFD0A'],
    ['utf-16', Buffer.from(`${'論'.repeat(9)} a`, 'utf16le').swap16(), `${'論'.repeat(9)} a`]
  ].map(characters),
  'JSON errors and long texts': [
    ['the stack has the whole message, also with $& in it', false, true, hasMessageInStack]
  ],
  'Which error, and received': [
    ['next of a small coded body', ['end', 'close', 'next'], ['next', 'end', 'close'], orderOfCoded],
    ['a small coded body over the limit', DEPENDS, '413 300', codedFailure(coded)],
    ['a faulty one', DEPENDS, '400 undefined', codedFailure(faulty)]
  ],
  'Options of this package': [
    ['depth', 'none', '400 entity.too.deep',
      ({ json }) => failureOf(() => parse(json({ depth: 1 }), JSON_TYPE, '[[]]'))]
  ],
  Loading: [
    ['a declared length counts the characters of a string that a mock emits', ['é'], undefined, bodyOfString('5')],
    ['a declared length counts its bytes', undefined, ['é'], bodyOfString('6')]
  ],
  'Repairs of the platform': [
    ['a key of JSON that another body had', confusesKeys() ? '\\' : 'é', 'é', keyAfterAnother]
  ]
}

describe('the differences that README lists', () => {
  it('are at most thirteen, numbered, and linked to nowhere else', () => {
    assert.deepEqual(Array.from(readme.matchAll(/^(\d+)\. \[/gm), ([, number]) => Number(number)),
      identifiers.map((_, i) => i + 1))
    assert.ok(identifiers.length > 10 && identifiers.length <= 13)
  })

  it('are the sections of docs/differences.md, and of this file, in the same order', () => {
    assert.deepEqual(titles.map(slugOf), identifiers)
    assert.deepEqual(Object.keys(SECTIONS), titles)
  })

  it('are those that the fuzzer allows or does not meet, in the same order', () => {
    const inOrder = (names) => identifiers.filter((id) => names.includes(id))
    const [allowed, others] = [RULES, NOT_MET].map(Object.keys)
    for (const names of [allowed, others]) assert.deepEqual(names, inOrder(names))
    assert.deepEqual([...allowed, ...others].sort(), [...identifiers].sort())
  })
})

describe('docs/differences.md', () => {
  for (const [title, rows] of Object.entries(SECTIONS)) {
    describe(title, () => {
      for (const [what, theirs, ours, see] of rows) {
        it(what, async () => assert.deepEqual([await see(bodyParser), await see(subject)], [theirs, ours]))
      }
    })
  }

  it('names each function that body-parser does not have', () => {
    const own = Object.keys(subject).filter((name) => !(name in bodyParser))
    assert.ok(own.includes('createParser'))
    for (const name of own) assert.ok(page.includes(`\`${name}\``), name)
  })

  it('tells right that a text too long for a string is a 400', async function () {
    this.timeout(60_000)
    const chunks = Array(33).fill(Buffer.alloc(2 ** 24, 'a'))
    const { error } = await parse(subject.text({ limit: Infinity }), TEXT_TYPE, ...chunks)
    assert.deepEqual([error.status, error.type, error.code], [400, 'entity.parse.failed', 'ERR_STRING_TOO_LONG'])
  })
})
