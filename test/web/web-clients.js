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
const { collect } = require('../support/loop')
const schemaOf = require('../support/schema-of')
const { post, streamOf } = require('../support/web-request')
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

  describe('that stall, or leave', () => {
    for (const [what, pieces, headers, length, received] of [
      ['a body of which nothing comes', [], {}, null, 0],
      ['a declared body', ['[1,'], { 'content-length': '9' }, 9, 3],
      ['a gzip body', [zlib.gzipSync('[1]').subarray(0, 9)], { 'content-encoding': 'gzip', 'content-length': '99' },
        null, 9]
    ]) {
      it(`end ${what} by a 408 when its time is over, and by a 400 when they leave`, async () => {
        await turn()
        const before = timers()
        const timeout = { name: 'RequestTimeoutError', status: 408, expose: true, type: 'request.timeout', received }
        await assert.rejects(web.json({ timeout: 50 })(stalling(pieces, { headers })), timeout)
        assert.ok(timers() <= before)
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

    for (const [where, within] of [['', (act) => act()], [' in other runtimes', asElsewhere]]) {
      it(`waits for no more of a coded body that is corrupt, and declared over drainLimit${where}`, () => within(async () => {
        const request = stalling(['junk'], { headers: { 'content-encoding': 'gzip', 'content-length': '9000' } })
        await assert.rejects(web.json({ drainLimit: 1000 })(request), { status: 400 })
        assert.equal(request.body.locked, false)
      }))
    }

    const never = () => new Promise(nothing)

    it('end the wait for a promise of the app', async () => {
      const verify = never
      await turn()
      const before = timers()
      await assert.rejects(web.json({ verify, timeout: 20 })(post('[1]', JSON_TYPE)),
        { type: 'request.timeout', status: 408, received: 3 })
      const controller = new AbortController()
      const request = hold(post('[1]', JSON_TYPE, { signal: controller.signal }))
      const read = assert.rejects(web.json({ verify })(request), { type: 'request.aborted', status: 400, received: 3 })
      await delay(20)
      controller.abort()
      await read
      assert.equal(getEventListeners(controller.signal, 'abort').length, 0)
      assert.ok(timers() <= before)
    })

    it('end that wait at once if they left before', async () => {
      const controller = new AbortController()
      const verify = () => {
        controller.abort()
        return never()
      }
      const request = post('[1]', JSON_TYPE, { signal: controller.signal })
      await assert.rejects(web.json({ verify })(request), { type: 'request.aborted' })
    })

    it('end the wait for the schema of a record', async () => {
      const controller = new AbortController()
      const body = streamOf([Buffer.from('[1]\n[2')], { isOpen: true })
      const request = hold(post(body, { 'content-type': 'application/x-ndjson' }, { signal: controller.signal }))
      setTimeout(() => controller.abort(), 20)
      await assert.rejects(collect(web.ndjson({ schema: schemaOf(never) })(request)), { type: 'request.aborted' })
    })

    it('are told of if they left before', async () => {
      await assert.rejects(web.json()(stalling(['[1]'], { signal: AbortSignal.abort() })), {
        type: 'request.aborted',
        received: node.servesRequests ? 3 : 0
      })
    })

    it('do not hide an error that came before', async () => {
      const controller = new AbortController()
      const promise = web.json({ limit: 2 })(hold(stalling(['[1]'], { signal: controller.signal })))
      setTimeout(() => controller.abort(), 20)
      await assert.rejects(promise, { status: 413 })
    })
  })

  describe('under a server of Node', () => {
    /** Sends the pieces to a server; gives the error of the reader, and the first line of the response. */
    async function send (read, pieces, headers) {
      const settled = {}
      settled.promise = new Promise((resolve) => { settled.resolve = resolve })
      const server = await LocalServer.open((req, res) => {
        read(post(Readable.toWeb(req), req.headers)).catch((error) => {
          res.statusCode = error.status
          res.end()
          settled.resolve(error)
        })
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
      const error = await settled.promise
      await delay(20)
      socket.destroy()
      server.close()
      return { error, line: answer.split('\r\n')[0] }
    }

    for (const [what, pieces, headers, options] of [
      ['is declared to be over drainLimit', ['0123456789', 'x'.repeat(100_000), 'x'.repeat(100_000)],
        { 'content-length': '70000000' }, {}],
      ['turns out to be over drainLimit', Array(20).fill(`400\r\n${'x'.repeat(1024)}\r\n`),
        { 'transfer-encoding': 'chunked' }, { limit: 10, drainLimit: 2000 }],
      ['is corrupt and over drainLimit', Array(20).fill(`400\r\n${'x'.repeat(1024)}\r\n`),
        { 'transfer-encoding': 'chunked', 'content-encoding': 'gzip' }, { drainLimit: 2000 }]
    ]) {
      it(`serves on after a body that ${what}, of which more comes`, async () => {
        const { error, line } = await send(web.json(options), pieces, headers)
        assert.equal(error.status, headers['content-encoding'] ? 400 : 413)
        assert.match(line, /^HTTP\/1.1 4/)
      })
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
    const postCoded = (body) => {
      const headers = { ...JSON_TYPE, 'content-encoding': 'gzip', 'content-length': String(body.length) }
      return post(body, headers)
    }

    for (const [what, body] of [['no coding', 'this is no coded body at all'], ['cut off', coded.subarray(0, -9)]]) {
      it(`has a message in other runtimes: ${what}`, () => asElsewhere(() =>
        assert.rejects(web.json()(postCoded(body)), { status: 400, expose: true, message: /./ })))
    }

    it('decompresses in other runtimes', () => asElsewhere(async () => {
      const stalled = () => stalling([coded], { headers: { 'content-encoding': 'gzip' } })
      assert.deepEqual(await web.json()(postCoded(coded)), { a: 1 })
      await assert.rejects(web.json({ limit: 5 })(postCoded(coded)), { status: 413, received: 7 })
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
          assert.rejects(web.json()(postCoded(coded)), { status: 400, message }))
      }))
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
