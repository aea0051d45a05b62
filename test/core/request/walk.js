'use strict'

// Who has read a request before a parser: json() answers as in body-parser, as raw(), text() and urlencoded() do; the
// others go by what was read alone. compat/unread-bodies.js has what else a handler may find.

const assert = require('node:assert/strict')
const { once } = require('node:events')
const http = require('node:http')
const { PassThrough, Readable } = require('node:stream')
const { setTimeout: delay } = require('node:timers/promises')
const zlib = require('node:zlib')
const theirMulter = require('multer')
const theirs = require('body-parser')
const bodyParser = require('fast-body-parser')
const multer = require('fast-body-parser/multer')
const HANG_TIME = require('../../support/hang-time')

const SMALL = 10
const LARGE = 99_000 // bytes, more than streams hold
const letters = (size) => 'x'.repeat(size)

const formOf = (size) => [
  '--b', 'Content-Disposition: form-data; name="a"', '', '1',
  '--b', 'Content-Disposition: form-data; name="f"; filename="f.txt"', '', letters(size), '--b--', ''
].join('\r\n')
const jsonOf = (size) => JSON.stringify({ a: letters(size) })

const FORM = ['multipart/form-data; boundary=b', formOf]

/** Of each parser: what it takes, and the letters that the app gets, if any. */
const PARSERS = {
  json: ['application/json', jsonOf, bodyParser.json(), ({ body }) => body?.a],
  createParser: ['a/b', letters, bodyParser.createParser({ type: 'a/b', parse: (text) => text }), ({ body }) => body],
  multipart: [...FORM, bodyParser.multipart(), ({ files }) => files.f && String(files.f[0].bytes)],
  'parts()': [...FORM, (req, res, next) => next(), readParts],
  ndjson: ['application/x-ndjson', (size) => `{"a":""}\n${jsonOf(size)}\n`, bodyParser.ndjson(), readRecords],
  multer: [...FORM, multer().any(), ({ files }) => files && String(files[0].buffer)]
}

async function readParts (req, res) {
  let text
  for await (const part of bodyParser.multipart().parts(req, res)) {
    text ??= ''
    if (part.name !== undefined) for await (const chunk of part) text += chunk
  }
  return text
}

async function readRecords ({ body }) {
  let text
  for await (const { a } of body ?? []) text = (text ?? '') + a
  return text
}

/** @returns {Promise<string>} what the app sees */
async function outcomeOf (req, res, parser, see, expected) {
  const answered = new Promise((resolve) => {
    parser(req, res, (error) => resolve(error ? Promise.reject(error) : see(req, res)))
  })
  try {
    const seen = await Promise.race([answered, delay(HANG_TIME, 'hangs', { ref: false })])
    if (seen === expected) return 'parsed'
    return { hangs: seen, undefined: 'nothing' }[seen] ?? 'a part'
  } catch ({ message, status = 500, type = message }) {
    return `${status} ${type}`
  }
}

// Requests over HTTP, and what runs before the parser.

const readLater = (req, res, next) => {
  req.on('data', () => {})
  once(req, 'data').then(() => setImmediate(next))
}

const readOnce = (size) => (req, res, next) => {
  req.once('readable', () => {
    req.read(size)
    next()
  })
}

const peek = (req, res, next) => {
  req.once('readable', () => {
    req.unshift(req.read())
    next()
  })
}

const pause = (req, res, next) => {
  req.pause()
  setImmediate(next)
}

const setUnreadable = (req, res, next) => {
  req.readable = false
  next()
}

const CHUNKED = { 'Transfer-Encoding': 'chunked' }
const GZIP = { 'Content-Encoding': 'gzip' }
const NOT_READABLE = /^500 stream\.not\.readable$/
const INVALID = /^400 (entity\.parse\.failed|records\.not\.found|request\.size\.invalid)$/ // nothing tells it before

/**
 * What the app sees.
 *
 * @typedef {object} Expected
 * @property {RegExp} [same] as with body-parser: json. Undefined if it depends on the packets
 * @property {RegExp} own of the other parsers
 * @property {RegExp} [custom] of createParser(), which passes on what was read, as the parsers of body-parser do
 * @property {boolean} [hangs] whether body-parser never answers
 */

const PARSED = { same: /^parsed$/, own: /^parsed$/ }
const FINISHED = { same: /^nothing$/, own: NOT_READABLE, custom: /^nothing$/ }
const LOST = { own: NOT_READABLE }
const OURS_ALONE = { same: /^nothing$/, own: /^parsed$/ }

/** @type {Record<string, { before: Function, headers?: object, inHalves?: boolean, expected: Expected }>} */
const BEFORE = {
  'nobody, but it was paused': { before: pause, expected: { ...PARSED, hangs: true } },
  'code that goes on reading': { before: readLater, headers: CHUNKED, inHalves: true, expected: LOST },
  'code that has kept what was there': { before: readOnce(), headers: CHUNKED, inHalves: true, expected: LOST },
  'code that has kept four bytes': { before: readOnce(4), expected: { own: INVALID } },
  'code that has put it back': { before: peek, expected: PARSED },
  'code that has put it back, of chunks': { before: peek, headers: CHUNKED, inHalves: true, expected: PARSED },
  'code that has put it back, of gzip': { before: peek, headers: GZIP, expected: PARSED },
  'code that has set readable to false, of gzip': {
    before: setUnreadable, headers: GZIP, inHalves: true, expected: PARSED
  }
}

async function overHttp (server, { before, headers = {}, inHalves }, [type, bodyOf], parser, see) {
  const text = bodyOf(SMALL)
  const body = headers === GZIP ? zlib.gzipSync(text) : Buffer.from(text)
  const length = headers === CHUNKED ? {} : { 'Content-Length': body.length }
  const options = { port: server.address().port, method: 'POST', agent: false }
  const client = http.request({ ...options, headers: { 'Content-Type': type, ...length, ...headers } })
  const middle = inHalves ? body.length >> 1 : body.length
  client.on('error', () => {}).write(body.subarray(0, middle))
  const [req, res] = await once(server, 'request')
  const outcome = await new Promise((resolve) => {
    before(req, res, () => {
      client.end(body.subarray(middle))
      resolve(outcomeOf(req, res, parser, see, letters(SMALL)))
    })
  })
  res.end()
  client.destroy()
  return outcome
}

// Requests that are made of a stream.

const headersOf = (type, body) => ({ 'content-type': type, 'content-length': String(Buffer.byteLength(body)) })

/** As @codegenie/serverless-express makes one. */
function wrap (type, body) {
  const req = new http.IncomingMessage({ readable: true, destroy () {}, end () {} })
  Object.assign(req, { complete: true, headers: headersOf(type, body), method: 'POST' })
  req._read = () => {
    req.push(Buffer.from(body))
    req.push(null)
  }
  return req
}

function pass (type, body) {
  const req = Object.assign(new PassThrough(), { headers: headersOf(type, body) })
  Readable.from([Buffer.from(body.slice(0, -1)), Buffer.from(body.slice(-1))]).pipe(req)
  return req
}

function decode (type, body) {
  const decoder = Object.assign(zlib.createGunzip(), { headers: headersOf(type, body) })
  decoder.end(zlib.gzipSync(body))
  return decoder
}

const forget = (req) => { req.readable = false }
const turn = () => new Promise(setImmediate)
const end = (req) => once(req.resume(), 'end')

/**
 * `before` and `after` the call of the middleware.
 *
 * @type {Record<string, { create: Function, size?: number, before?: Function, after?: Function, expected: Expected }>}
 */
const STREAMS = {
  'a wrapper that then sets readable to false': { create: wrap, after: forget, expected: PARSED },
  'a wrapper that has set readable to false': { create: wrap, before: forget, expected: OURS_ALONE },
  'the writer of a small PassThrough': { create: pass, before: turn, expected: OURS_ALONE },
  'the writer of a large PassThrough': { create: pass, size: LARGE, before: turn, expected: PARSED },
  'the writer of a decoder': { create: decode, expected: OURS_ALONE },
  'the reader of a decoder': { create: decode, before: end, expected: FINISHED }
}

async function ofStream ({ create, size = SMALL, before, after }, [type, bodyOf], parser, see) {
  const req = create(type, bodyOf(size))
  await before?.(req)
  const outcome = outcomeOf(req, {}, parser, see, letters(size))
  after?.(req)
  return outcome
}

const read = (parser) => (req, res, next) => parser.read(req, res).then(() => next(), next)

describe('who has read a request before', () => {
  let server
  before(async () => {
    server = http.createServer().listen(0, '127.0.0.1')
    await once(server, 'listening')
  })
  after(() => {
    server.close()
    server.closeAllConnections()
  })

  const rows = [
    ...Object.entries(BEFORE).map(([who, row]) => [who, row, (...rest) => overHttp(server, row, ...rest)]),
    ...Object.entries(STREAMS).map(([who, row]) => [who, row, (...rest) => ofStream(row, ...rest)])
  ]
  for (const [who, { headers, expected }, ask] of rows) {
    for (const [name, [type, bodyOf, parser, see]] of Object.entries(PARSERS)) {
      const isMulter = name === 'multer'
      if (isMulter && headers === GZIP) continue // multer does not undo content codings
      it(`${who}: ${name}`, async () => {
        const { same, own, custom = own, hangs } = expected
        const outcome = await ask([type, bodyOf], parser, see)
        const isSame = name in theirs
        if (isSame && !hangs) assert.equal(outcome, await ask([type, bodyOf], theirs[name](), see))
        if (isMulter && outcome === 'parsed') assert.equal(await ask([type, bodyOf], theirMulter().any(), see), outcome)
        assert.match(outcome, isSame ? same ?? /./ : name === 'createParser' ? custom : own)
        if (parser.read) assert.equal(await ask([type, bodyOf], read(parser), see), outcome)
      })
    }
  }
})
