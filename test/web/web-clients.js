'use strict'

// fast-body-parser/web and clients that stall, leave, or send what is corrupt;
// with requests of Node's server, as h3 and srvx make them.

const assert = require('node:assert/strict')
const { getEventListeners } = require('node:events')
const http = require('node:http')
const net = require('node:net')
const { Readable } = require('node:stream')
const { setImmediate: turn, setTimeout: delay } = require('node:timers/promises')
const zlib = require('node:zlib')
const { z } = require('zod')
const bodyParser = require('fast-body-parser')
const web = require('fast-body-parser/web')
const Source = require('../../lib/core/source/source')
const Interruption = require('../../lib/web/interruption')
const node = require('../../lib/web/node')
const LocalServer = require('../../tools/local-server')
const loadAgain = require('../support/load-again')
const schemaOf = require('../support/schema-of')
const { post, streamOf } = require('../support/web-request')
const { builtins } = require('../support/where')
const within = require('../support/within')

const NODE = require.resolve('../../lib/web/node')
const CODINGS = require.resolve('../../lib/core/coding/codings')
const PLATFORM = require.resolve('../../lib/core/platform')
const JSON_TYPE = { 'content-type': 'application/json' }
const nothing = () => {}

/** As a server holds a request until it is answered: Node does not abort the signal of one that it has collected. */
const held = []
const hold = (request) => {
  held.push(request)
  return request
}

/** A request over a body of which these pieces arrive, and no end. */
const stalling = (pieces, { headers, ...more } = {}) => {
  const chunks = pieces.map((piece) => new Uint8Array(Buffer.from(piece)))
  return post(streamOf(chunks, { isOpen: true }), { ...JSON_TYPE, ...headers }, more)
}

/** Those of earlier tests may end meanwhile. */
const timers = () => process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length

/** Without what only Node has. */
const asElsewhere = (act) => within(process, { getBuiltinModule: undefined }, act)

/** `findDecoder` of ../../lib/web/decompression as it is in a runtime with this process. */
function loadDecoders (process) {
  const files = [PLATFORM, NODE, CODINGS]
  const loaded = files.map((file) => require.cache[file])
  const own = globalThis.process
  globalThis.process = process
  try {
    for (const file of files) require.cache[file] = { ...require.cache[file], exports: loadAgain(file) }
    return loadAgain(require.resolve('../../lib/web/decompression')).findDecoder
  } finally {
    globalThis.process = own
    files.forEach((file, i) => { require.cache[file] = loaded[i] })
  }
}

describe('fast-body-parser/web, clients', () => {
  afterEach(() => held.splice(0))

  describe('timeout', () => {
    for (const [what, pieces, headers, received] of [
      ['a body of which nothing comes', [], {}, 0],
      ['a body that stalls', ['[1,'], {}, 3],
      ['a declared body that stalls', ['[1,'], { 'content-length': '9' }, 3],
      ['a gzip body that stalls', [zlib.gzipSync('[1]').subarray(0, 9)], { 'content-encoding': 'gzip' }, 9]
    ]) {
      it(`refuses ${what} as the middleware does`, async () => {
        await turn()
        const before = timers()
        await assert.rejects(web.json({ timeout: 50 })(stalling(pieces, { headers })), {
          name: 'RequestTimeoutError',
          status: 408,
          expose: true,
          type: 'request.timeout',
          message: 'request timeout',
          received
        })
        assert.ok(timers() <= before)
      })
    }

    for (const [what, pieces, headers, status] of [
      ['over the limit', ['[1234567890'], {}, 413],
      ['declared to be over the limit', [], { 'content-length': '900' }, 413],
      ['gzip over the limit', [zlib.gzipSync('[1234567890]')], { 'content-encoding': 'gzip' }, 413],
      ['corrupt', ['junk'], { 'content-encoding': 'gzip' }, 400]
    ]) {
      it(`bounds how long the rest is read off of a body that is ${what}`, async () => {
        await assert.rejects(web.json({ limit: 5, timeout: 500 })(stalling(pieces, { headers })), { status })
      })
    }

    for (const [where, within] of [['', (act) => act()], [' in other runtimes', asElsewhere]]) {
      for (const [what, piece, status] of [
        ['over the limit', zlib.gzipSync('[1234567890]'), 413],
        ['corrupt', 'junk', 400]
      ]) {
        it(`waits for no more of a coded body ${what} and declared over drainLimit${where}`, () => within(async () => {
          const request = stalling([piece], { headers: { 'content-encoding': 'gzip', 'content-length': '9000' } })
          await assert.rejects(web.json({ limit: 5, drainLimit: 1000 })(request), { status })
          assert.equal(request.body.locked, false)
        }))
      }
    }

    it('does not refuse a body that came in time', async () => {
      await turn()
      const before = timers()
      for (const timeout of [2 ** 40, Infinity]) {
        assert.deepEqual(await web.json({ timeout })(post('[1]', JSON_TYPE)), [1])
      }
      await turn()
      assert.ok(timers() <= before)
    })

    it('may be over before the body is asked for', async () => {
      await assert.rejects(web.json({ timeout: Number.MIN_VALUE })(stalling(['['])), { type: 'request.timeout' })
    })

    const never = () => new Promise(nothing)
    for (const [what, options] of [
      ['verify', { verify: never }],
      ['parse', { parse: never }],
      ['schema', { schema: schemaOf(never) }]
    ]) {
      it(`does not wait for the promise of ${what} any longer, nor after the client has left`, async () => {
        await turn()
        const before = timers()
        await assert.rejects(web.json({ ...options, timeout: 20 })(post('[1]', JSON_TYPE)),
          { type: 'request.timeout', status: 408, received: 3 })
        const controller = new AbortController()
        const request = hold(post('[1]', JSON_TYPE, { signal: controller.signal }))
        const read = assert.rejects(web.json(options)(request), { type: 'request.aborted', status: 400, received: 3 })
        await delay(20)
        controller.abort()
        await read
        assert.equal(getEventListeners(controller.signal, 'abort').length, 0)
        assert.ok(timers() <= before)
      })
    }

    it('does not wait for a promise if the client left before', async () => {
      const controller = new AbortController()
      const verify = () => {
        controller.abort()
        return never()
      }
      const request = post('[1]', JSON_TYPE, { signal: controller.signal })
      await assert.rejects(web.json({ verify })(request), { type: 'request.aborted' })
    })

    for (const [what, body, isOpen] of [['has not ended', '[1]\n[2', true], ['has ended', '[1]', false]]) {
      it(`does not wait for the schema of a record any longer if the body ${what}`, async () => {
        const schema = schemaOf(never)
        const request = (more) =>
          post(streamOf([Buffer.from(body)], { isOpen }), { 'content-type': 'application/x-ndjson' }, more)
        const loop = async (records) => { for await (const record of records) assert.fail(record) }
        await assert.rejects(loop(web.ndjson({ schema, timeout: 20 })(request())), { type: 'request.timeout' })
        const controller = new AbortController()
        setTimeout(() => controller.abort(), 20)
        await assert.rejects(loop(web.ndjson({ schema })(hold(request({ signal: controller.signal })))),
          { type: 'request.aborted' })
      })
    }
  })

  describe('request.signal', () => {
    for (const [what, pieces, headers, length, received] of [
      ['a body of which nothing comes', [], {}, null, 0],
      ['a declared body', ['[1,'], { 'content-length': '9' }, 9, 3],
      ['a gzip body', [zlib.gzipSync('[1]').subarray(0, 9)], { 'content-encoding': 'gzip', 'content-length': '99' },
        null, 9]
    ]) {
      it(`ends ${what} that neither ends nor fails`, async () => {
        const inOnePiece = node.servesRequests && headers['content-length'] !== undefined
        const controller = new AbortController()
        const request = hold(stalling(pieces, { headers, signal: controller.signal }))
        const promise = web.json()(request)
        setTimeout(() => controller.abort(), 20)
        await assert.rejects(promise, {
          name: 'BadRequestError',
          status: 400,
          type: 'request.aborted',
          code: 'ECONNABORTED',
          length,
          expected: length,
          received: inOnePiece ? 0 : received
        })
        assert.equal(getEventListeners(request.signal, 'abort').length, 0)
        if (!inOnePiece) assert.equal(request.body.locked, false)
      })
    }

    it('refuses a request whose client has left before', async () => {
      await assert.rejects(web.json()(stalling(['[1]'], { signal: AbortSignal.abort() })), {
        type: 'request.aborted',
        received: node.servesRequests ? 3 : 0
      })
    })

    it('does not hide an error that came before', async () => {
      const controller = new AbortController()
      const promise = web.json({ limit: 2 })(hold(stalling(['[1]'], { signal: controller.signal })))
      setTimeout(() => controller.abort(), 20)
      await assert.rejects(promise, { status: 413 })
    })

    it('keeps no listener of bodies that came', async () => {
      const { signal } = new AbortController()
      const request = post('[1]', JSON_TYPE, { signal })
      await web.json()(request)
      assert.equal(getEventListeners(request.signal, 'abort').length, 0)
    })
  })

  describe('under a server of Node', () => {
    /** Sends the pieces to a server; gives what the reader does, and the first line of the response. */
    async function send (read, pieces, { headers = {}, act = nothing } = {}) {
      const settled = {}
      settled.promise = new Promise((resolve) => { settled.resolve = resolve })
      const server = await LocalServer.open((req, res) => {
        const controller = new AbortController()
        res.on('close', () => controller.abort())
        const request = post(Readable.toWeb(req), req.headers, { signal: controller.signal })
        read(request).then((body) => ({ body }), (error) => ({ error })).then((outcome) => {
          res.statusCode = outcome.error?.status ?? 200
          res.end()
          settled.resolve(outcome)
        })
        act(req, res)
      })
      const socket = net.connect(server.port, '127.0.0.1').on('error', nothing)
      let answer = ''
      socket.on('data', (chunk) => { answer += chunk })
      const fields = Object.entries({ ...JSON_TYPE, ...headers }).map(([name, value]) => `${name}: ${value}\r\n`)
      socket.write(`POST / HTTP/1.1\r\nHost: test\r\n${fields.join('')}\r\n`)
      for (const piece of pieces) {
        socket.write(piece)
        await delay(5)
      }
      const outcome = await settled.promise
      await delay(20)
      socket.destroy()
      server.close()
      return { ...outcome, line: answer.split('\r\n')[0] }
    }

    for (const [what, pieces, headers, options] of [
      ['is declared to be over drainLimit', ['0123456789', 'x'.repeat(100_000), 'x'.repeat(100_000)],
        { 'content-length': '70000000' }, {}],
      ['is declared to be over drainLimit, and has come in part', ['x'.repeat(500_000), 'x'.repeat(500_000)],
        { 'content-length': '70000000' }, {}],
      ['turns out to be over drainLimit', Array(20).fill(`400\r\n${'x'.repeat(1024)}\r\n`),
        { 'transfer-encoding': 'chunked' }, { limit: 10, drainLimit: 2000 }],
      ['is corrupt and over drainLimit', Array(20).fill(`400\r\n${'x'.repeat(1024)}\r\n`),
        { 'transfer-encoding': 'chunked', 'content-encoding': 'gzip' }, { drainLimit: 2000 }]
    ]) {
      it(`serves on after a body that ${what}, of which more comes`, async () => {
        const { error, line } = await send(web.json(options), pieces, { headers })
        assert.equal(error.status, headers['content-encoding'] ? 400 : 413)
        assert.match(line, /^HTTP\/1.1 4/)
      })
    }

    const soon = {
      now: (act) => act(),
      microtask: queueMicrotask,
      tick: process.nextTick,
      immediate: setImmediate,
      later: (act) => setTimeout(act, 8),
      last: (act) => setTimeout(act, 14)
    }
    const acts = {
      'request.destroy': (req) => req.destroy(),
      'request.destroy with an error': (req) => req.destroy(new Error('mine')),
      'socket.destroy': (req) => req.socket?.destroy(),
      'response.end': (req, res) => res.end(),
      'response.destroy': (req, res) => res.destroy()
    }
    const bodies = {
      'a body': [['[1', ',2', ',3'], { 'content-length': '9' }],
      'a gzip body': [
        [zlib.gzipSync('[1]').subarray(0, 12), '', ''],
        { 'content-length': '99', 'content-encoding': 'gzip' }
      ],
      'a body over the limit': [['x'.repeat(500), 'x'.repeat(500), 'x'], { 'content-length': '5000' }]
    }
    for (const [name, [pieces, headers]] of Object.entries(bodies)) {
      for (const [how, act] of Object.entries(acts)) {
        it(`rejects once for ${name} and ${how} at any moment`, async () => {
          await Promise.all(Object.values(soon).map(async (defer) => {
            const { error } = await send(web.json({ limit: 100, timeout: 500 }), pieces, {
              headers,
              act: (req, res) => defer(() => act(req, res))
            })
            assert.ok([400, 408, 413].includes(error.status), `${error}`)
          }))
        })
      }
    }

    /** As those of srvx, which tell of what they are made. */
    class Served extends Request {
      constructor (req, res) {
        const { headers, method } = req
        super('http://localhost/', { method, headers, body: Readable.toWeb(req), duplex: 'half' })
        this.runtime = { name: 'node', node: { req, res } }
      }
    }

    /** Sends two bodies through an agent that keeps its connection; gives what each response says. */
    async function sendTwo (read, bodies, headers) {
      const server = http.createServer((req, res) => {
        const request = new Served(req, res)
        read(request).then(() => 200, ({ status }) => status).then((status) => res.writeHead(status).end('seen'))
      })
      const port = await LocalServer.listen(server)
      const agent = new http.Agent({ keepAlive: true, maxSockets: 1 })
      const answers = []
      for (const body of bodies) {
        answers.push(await new Promise((resolve) => {
          const fields = { ...JSON_TYPE, ...headers, ...(headers === undefined && { 'content-length': body.length }) }
          const req = http.request({ port, agent, method: 'POST', headers: fields }, (res) => {
            res.resume().on('end', () => resolve([res.statusCode, res.headers.connection]))
          }).on('error', resolve)
          for (const piece of [body].flat()) req.write(piece)
          req.end()
        }))
      }
      agent.destroy()
      LocalServer.stop(server)
      return answers
    }

    const LARGE = JSON.stringify('x'.repeat(300_000))
    for (const [what, headers] of [['declared'], ['chunked', { 'transfer-encoding': 'chunked' }]]) {
      it(`tells the client of a ${what} body that is not read off to use another connection`, async () => {
        for (const drainLimit of [0, 1000]) {
          const read = web.json({ limit: 1000, drainLimit })
          assert.deepEqual(await sendTwo(read, [LARGE, '{}'], headers), [[413, 'close'], [200, 'keep-alive']])
        }
      })

      it(`keeps the connection of a ${what} body that is read off`, async () => {
        const read = web.json({ limit: 1000 })
        assert.deepEqual(await sendTwo(read, [LARGE, '{}'], headers), [[413, 'keep-alive'], [200, 'keep-alive']])
      })
    }

    it('keeps the connection of a body that is not read off, but has arrived', async () => {
      const readJson = web.json({ limit: 1000, drainLimit: 0 })
      const read = async (request) => {
        while (!request.runtime.node.req.complete) await turn()
        return await readJson(request)
      }
      const headers = { 'transfer-encoding': 'chunked' }
      const answers = await sendTwo(read, [Array(9).fill('x'.repeat(1000)), '{}'], headers)
      assert.deepEqual(answers, [[413, 'keep-alive'], [200, 'keep-alive']])
    })

    it('keeps the connection of a body that is left to others', async () => {
      const readForm = web.multipart({ schema: z.any() })
      const read = (request) => readForm(request).catch(() => web.text({ type: '*/*', limit: '1mb' })(request))
      const headers = { 'transfer-encoding': 'chunked' }
      assert.deepEqual(await sendTwo(read, [LARGE, '{}'], headers), [[200, 'keep-alive'], [200, 'keep-alive']])
    })

    it('parses after the response was begun', async () => {
      const { body } = await send(web.json(), ['[1', ']'],
        { headers: { 'content-length': '3' }, act: (req, res) => res.writeHead(200) })
      assert.deepEqual(body, [1])
    })
  })

  describe('cancelling', () => {
    it('is not, as far as Node 20.15 can tell', () => asElsewhere(() => {
      assert.equal(loadAgain(NODE).isCancelSafe(), false)
    }))

    for (const [name, process] of Object.entries({
      Bun: { versions: { node: '24.0.0', bun: '1.4.0' } },
      Deno: { versions: { node: '24.0.0', deno: '2.9.0' } },
      'a browser': undefined,
      'a polyfill': {}
    })) {
      it(`is safe in ${name}, which has no module of Node for us`, () => {
        return within(globalThis, { process }, () => {
          const { decoderOf, findZlib, isCancelSafe } = loadAgain(NODE)
          assert.deepEqual([findZlib(), isCancelSafe()], [undefined, true])
          assert.equal(decoderOf('utf-7'), null) // which iconv-lite knows, and TextDecoder does not
        })
      })
    }
  })

  for (const isSafe of [true, false]) {
    describe(`a BodyStream whose body ${isSafe ? 'may' : 'must not'} be cancelled`, () => {
      let BodyStream

      before(() => {
        const cached = require.cache[NODE]
        require.cache[NODE] = { exports: { ...node, isCancelSafe: () => isSafe } }
        BodyStream = loadAgain(require.resolve('../../lib/web/body-stream'))
        require.cache[NODE] = cached
      })

      /** A body that has this chunk, and whether it was cancelled. */
      function open (cancel = nothing, { signal } = new AbortController()) {
        const seen = { cancelled: 0 }
        const body = new ReadableStream({
          start (controller) { controller.enqueue(new Uint8Array(5)) },
          cancel () { seen.cancelled++; return cancel() }
        })
        return { seen, body, source: new BodyStream(body, new Interruption({ signal }, Infinity)) }
      }

      it('ends a read that waits, and leaves the body to others', async () => {
        const controller = new AbortController()
        const { body, seen, source } = open(nothing, controller)
        assert.equal((await source.pull()).length, 5)
        const waiting = source.pull()
        controller.abort()
        await assert.rejects(waiting, { type: 'request.aborted', received: 5 })
        await assert.rejects(source.pull(), { type: 'request.aborted' })
        assert.deepEqual([seen.cancelled, body.locked], [isSafe ? 1 : 0, false])
      })

      it('does not wait for what the cancelling does, nor report it', async () => {
        for (const cancel of [() => new Promise(nothing), () => Promise.reject(new Error('no'))]) {
          const { seen, source } = open(cancel)
          await source.drain(1)
          source.stop()
          assert.equal(seen.cancelled, isSafe ? 1 : 0)
          await turn()
        }
      })
    })
  }

  describe('what is corrupt', () => {
    const text = '{"a":1}'
    const coded = zlib.gzipSync(text)
    const rows = {
      'no coding': 'this is no coded body at all',
      'a body that is cut off': coded.subarray(0, -9),
      'an empty body': '',
      'a wrong checksum': coded.map((byte, i) => i === coded.length - 6 ? byte ^ 1 : byte),
      'bytes after the end': Buffer.concat([coded, Buffer.from('junk')])
    }
    const postCoded = (body, coding) => post(body, fieldsOf(body, coding))

    for (const [what, body] of Object.entries(rows)) {
      it(`${what} has a message in other runtimes`, () => asElsewhere(async () => {
        const error = await web.json()(postCoded(body, 'gzip')).catch((error) => error)
        if (error.a === 1) return // some ignore what follows the end
        assert.deepEqual([error.status, error.expose], [400, true])
        assert.notEqual(error.message, '')
      }))
    }

    it('decompresses in other runtimes', () => asElsewhere(async () => {
      const stalled = () => stalling([coded], { headers: { 'content-encoding': 'gzip' } })
      assert.deepEqual(await web.json()(postCoded(coded, 'gzip')), { a: 1 })
      await assert.rejects(web.json({ limit: 5 })(postCoded(coded, 'gzip')), { status: 413, received: 7 })
      await assert.rejects(web.json({ timeout: 50 })(stalled()), { status: 408 })
      await assert.rejects(web.json({ limit: 5, timeout: 500 })(stalled()), { status: 413 })
    }))

    for (const [message, error] of [
      ['corrupt content coding', new TypeError('')],
      ['why', new TypeError('', { cause: new Error('why') })]
    ]) {
      it(`has a message even if the runtime gives none: ${message}`, () => asElsewhere(async () => {
        class DecompressionStream extends TransformStream {
          constructor () {
            super({ transform () { throw error } })
          }
        }
        await within(globalThis, { DecompressionStream }, () =>
          assert.rejects(web.json()(postCoded(coded, 'gzip')), { status: 400, message }))
      }))
    }

    for (const [coding, code] of [
      ['gzip', zlib.gzipSync], ['deflate', zlib.deflateSync], ['br', zlib.brotliCompressSync]
    ]) {
      const { it } = coding === 'br' ? builtins : globalThis
      for (const after of ['junk', '\0\0\0', code('[2]')]) {
        it(`what follows the end of ${coding} (${JSON.stringify(String(after).slice(0, 4))}) is what it is to the middleware`, async () => {
          const body = Buffer.concat([code('[1]'), Buffer.from(after)])
          const expected = await middlewareError(body, coding)
          const outcome = await web.json()(postCoded(body, coding)).catch(({ message }) => message)
          assert.deepEqual(outcome, expected?.message ?? [1])
        })
      }
    }
  })

  it('refuses a br body that is cut off in Deno, whose zlib does not', async () => {
    const { BROTLI_OPERATION_FLUSH: finishFlush } = zlib.constants
    const versions = { deno: '2.9.5' }
    const createBrotliDecompress = () => zlib.createBrotliDecompress({ finishFlush }) // which does not, either
    const findDecoder = loadDecoders({ versions, getBuiltinModule: () => ({ ...zlib, createBrotliDecompress }) })
    const text = 'text '.repeat(1000)
    const whole = zlib.brotliCompressSync(text)
    const decode = async (bytes) =>
      String(await decodeAll(findDecoder('br'), [...bytes].map((byte) => Buffer.of(byte))))
    for (const after of ['', '\0', 'junk', whole]) {
      assert.equal(await decode(Buffer.concat([whole, Buffer.from(after)])), text)
    }
    for (let length = 0; length < whole.length; length++) {
      await assert.rejects(decode(whole.subarray(0, length)), {
        status: 400,
        message: 'unexpected end of file',
        code: 'Z_BUF_ERROR'
      })
    }
    await assert.rejects(decode(Buffer.alloc(9, 0xFF)), { status: 400 })
  })

  describe('empty, with Content-Length: 0 of another type', () => {
    const rows = [
      {}, { 'content-length': '0' }, { 'content-length': '' }, { 'content-length': 'x' },
      { 'content-length': '0', 'transfer-encoding': 'chunked' }, { 'content-length': '4' }
    ]
    for (const options of [{}, { empty: {} }, { empty: undefined }, { empty: 'error' }]) {
      for (const fields of rows) {
        it(`is what it is to the middleware: ${JSON.stringify(fields)}, ${JSON.stringify(options)}`, async () => {
          const headers = { ...fields, 'content-type': 'text/xml' }
          const req = { headers, complete: false, readable: true, socket: { readable: true } }
          await new Promise((resolve, reject) =>
            bodyParser.json(options)(req, {}, (error) => error ? reject(error) : resolve()))
          assert.deepEqual(await web.json(options)(post(undefined, headers)), req.body)
        })
      }
    }
  })

  describe('charsets', () => {
    it('are those of TextDecoder in other runtimes', () => asElsewhere(async () => {
      const decode = (charset, bytes) => web.text()(post(bytes, { 'content-type': `text/plain; charset=${charset}` }))
      assert.equal(await decode('koi8-r', Uint8Array.of(0xC1)), 'а')
      assert.equal(await decode('utf-16le', Uint8Array.of(0xE9, 0)), 'é')
      await assert.rejects(decode('utf-7', Uint8Array.of(0x61)), { status: 415, type: 'charset.unsupported' })
    }))
  })

  it('read latin1 without Buffer, too', () => {
    const bytes = Uint8Array.from({ length: 70_000 }, (_, i) => i)
    const text = Buffer.from(bytes).toString('latin1')
    const decode = node.decoderOf('iso-8859-1')
    return within(globalThis, { Buffer: undefined }, () => {
      for (const [start, end] of [[0, 70_000], [1, 9000], [0, 0], [3, 70]]) {
        assert.equal(decode(bytes.subarray(start, end)), text.slice(start, end))
      }
    })
  })
})

/** What a decoder of ../../lib/web/decompression makes of these pieces. */
async function decodeAll (decode, pieces) {
  const body = new Source()
  body.ask = () => setImmediate(() => pieces.length > 0 ? body.give(pieces.shift()) : body.end())
  const source = decode(body)
  const decoded = []
  for (let chunk; (chunk = await source.pull()) !== null;) decoded.push(chunk)
  return Buffer.concat(decoded)
}

const fieldsOf = ({ length }, coding) =>
  ({ ...JSON_TYPE, 'content-encoding': coding, 'content-length': String(length) })

/** The error of the middleware for a coded body; undefined if there is none. */
function middlewareError (body, coding) {
  const req = Object.assign(Readable.from([Buffer.from(body)]), { headers: fieldsOf(body, coding) })
  return bodyParser.json().read(req, {}).then(() => undefined, (error) => error)
}
