'use strict'

const assert = require('node:assert/strict')
const { EventEmitter, once } = require('node:events')
const http = require('node:http')
const http2 = require('node:http2')
const net = require('node:net')
const { PassThrough, Readable } = require('node:stream')
const { setTimeout: delay } = require('node:timers/promises')
const zlib = require('node:zlib')
const { createBudget, jsonArray, multipart, ndjson } = require('../../../')
const createStreamReader = require('../../../lib/core/body/stream-reader')
const attachGuards = require('../../../lib/options/guards')
const { createExchange } = require('../../support/create-exchange')
const { NDJSON } = require('../../support/loop')
const serving = require('../../support/serving')
const schemaOf = require('../../support/schema-of')

const lines = Buffer.alloc(100_000, '[1234567]\n')
const HEADER = '--b\r\nContent-Disposition: form-data; name="f"; filename="x"\r\n\r\n'
const form = Buffer.from(`${HEADER}${'x'.repeat(90_000)}\r\n--b--`)
const never = () => new Promise(() => {})

/** An app that answers first; `read` gives what it makes of the body. */
const apps = {
  'a loop': {
    type: NDJSON,
    body: lines,
    read: (req, res, options) => readRecords(req, res, ndjson(options), () => delay(0))
  },
  'a loop whose schema never settles': {
    type: NDJSON,
    body: lines,
    read: (req, res, options) => {
      const schema = schemaOf(never)
      return readRecords(req, res, ndjson({ ...options, schema }), () => {})
    }
  },
  'a store': {
    type: 'multipart/form-data; boundary=b',
    body: form,
    read: (req, res, options) => readForm(req, res, multipart({ ...options, store: countBytes }))
  },
  'a store that reads nothing': {
    type: 'multipart/form-data; boundary=b',
    body: form,
    read: (req, res, options) => readForm(req, res, multipart({ ...options, store: untilAborted }))
  }
}

const untilAborted = (file, { signal }) => new Promise((resolve, reject) => {
  signal.addEventListener('abort', () => reject(signal.reason))
})

async function countBytes (file) {
  let size = 0
  for await (const chunk of file) {
    size += chunk.length
    await delay(1)
  }
  return size
}

async function readForm (req, res, parser) {
  res.end()
  await parser.read(req, res)
  return req.files.f[0].value
}

async function readRecords (req, res, parser, wait) {
  const records = await parser.read(req, res)
  let size = 0
  const iterator = records[Symbol.asyncIterator]()
  const first = iterator.next()
  res.end()
  for (let result = await first; !result.done; result = await iterator.next()) {
    if (size % 10_000 === 0) await wait()
    size += 10
  }
  return size
}

/** What the app makes of the body, and of its client, once that has its answer. */
function serve (createServer, read, send) {
  const server = createServer()
  const outcome = new Promise((resolve) => server.on('request', (req, res) => {
    read(req, res).then(resolve, ({ type }) => resolve(type))
  }))
  return serving(server, async (port) => {
    const close = await send(port)
    return outcome.finally(close)
  })
}

async function sendByHttp1 (port, { type, body, coding = 'identity' }) {
  const client = net.connect(port, '127.0.0.1').on('error', () => {})
  client.write(`POST / HTTP/1.1\r\nHost: a\r\nContent-Type: ${type}\r\n` +
    `Content-Encoding: ${coding}\r\nContent-Length: ${body.length}\r\n\r\n`)
  client.write(body)
  await once(client, 'data')
  return () => client.resume().destroy()
}

async function sendByHttp2 (port, { type, body, coding = 'identity' }) {
  const socket = net.connect(port, '127.0.0.1')
  const client = http2.connect('http://127.0.0.1', { createConnection: () => socket })
  const stream = client.request({
    ':method': 'POST',
    'content-type': type,
    'content-encoding': coding,
    'content-length': body.length
  })
  stream.on('error', () => {}).end(body)
  await once(stream.resume(), 'response')
  return () => socket.destroy()
}

const protocols = {
  'HTTP/1.1': [http.createServer, sendByHttp1],
  'HTTP/2': [http2.createServer, sendByHttp2]
}

describe('behind an answer', () => {
  for (const [protocol, [createServer, send]] of Object.entries(protocols)) {
    for (const [what, size] of [['a loop', 100_000], ['a store', 90_000]]) {
      for (const coding of ['identity', 'gzip']) {
        it(`${what} gets the whole body, in ${coding}, of a client that stays, over ${protocol}`, async () => {
          const { body, read, type } = apps[what]
          const message = { type, coding, body: coding === 'gzip' ? zlib.gzipSync(body, { level: 0 }) : body }
          for (const budget of [undefined, createBudget({ bytes: '1mb' })]) {
            assert.equal(
              await serve(createServer, (req, res) => read(req, res, { budget }), (port) => send(port, message)),
              size
            )
          }
        })
      }
    }

    for (const what of ['a loop whose schema never settles', 'a store that reads nothing']) {
      for (const bytes of [1000, 90_000]) {
        it(`${what} is told that a client has left that had sent ${bytes} bytes, over ${protocol}`, async () => {
          const app = {
            ...apps[what],
            body: what.includes('loop')
              ? lines.subarray(0, bytes)
              : Buffer.concat([form.subarray(0, bytes), form.subarray(-7)])
          }
          for (const budget of [undefined, createBudget({ bytes: '1mb' })]) {
            const read = (req, res) => app.read(req, res, { budget })
            const outcome = await serve(createServer, read, async (port) => {
              const leave = await send(port, app)
              await delay(30)
              leave()
            })
            assert.equal(outcome, 'request.aborted')
            assert.equal(budget?.used ?? 0, 0)
          }
        })
      }
    }
  }
})

/** A request that is not a server's. */
const requestOf = (stream) => Object.assign(stream, { headers: {} })
const createSink = (fields) =>
  ({ isBlocked: false, bufferedBytes: 0, write () {}, end () {}, stop: (error, done) => done(error), ...fields })

describe('a stream reader', () => {
  it('ends with an error for a stream that closes before its end, and is not destroyed', async () => {
    const req = requestOf(new Readable({ read () {} }))
    const done = new Promise((resolve) =>
      createStreamReader(() => createSink(), null)(createExchange(req), (_, error) => resolve(error)))
    req.emit('close')
    assert.equal((await done).type, 'request.aborted')
  })

  it('leaves no decoder open where its sink cannot be made', async () => {
    const req = requestOf(new Readable({ read () {} }))
    const decoder = zlib.createGunzip()
    const mistake = new Error('no boundary')
    const fail = () => { throw mistake }
    const error = await new Promise((resolve) =>
      createStreamReader(fail, () => decoder)(createExchange(req), (_, error) => resolve(error)))
    assert.deepEqual([error, decoder.destroyed, req.listenerCount('data')], [mistake, true, 0])
  })

  for (const outcome of [null, new Error('enough')]) {
    const what = outcome === null ? 'the end' : 'an error'
    it(`counts the time that the client waits up to ${what} of its sink, and no longer`, async () => {
      const req = requestOf(Readable.from([Buffer.from('a'), Buffer.from('b')]))
      const exchange = createExchange(req, { createGuards: () => ({ deadline: null, reservation: null }) })
      let feed
      const done = new Promise((resolve) => createStreamReader((exchange, source) => {
        feed = source
        return createSink({ isBlocked: true })
      }, null)(exchange, (exchange, error) => resolve([exchange, error])))
      while (exchange.waitsSince === null) await delay(1)
      await delay(5)
      if (outcome === null) feed.end(); else feed.fail(outcome)
      assert.deepEqual(await done, [exchange, outcome])
      assert.equal(exchange.waitsSince, null)
      assert.ok(exchange.waited > 3, `${exchange.waited} ms`)
    })
  }

  describe('in a budget of ten bytes', () => {
    let budget
    let sink
    let feed
    let outcome

    /** A feed that has read five bytes, after which its sink holds so many. */
    async function begin (bufferedBytes) {
      budget = createBudget({ bytes: 10 })
      const { createGuards } = attachGuards({}, { budget, minRate: 0, timeout: Infinity })
      const req = requestOf(Readable.from([Buffer.from('bytes')]))
      sink = createSink({ isBlocked: true, write () { this.bufferedBytes = bufferedBytes } })
      outcome = undefined
      const exchange = createExchange(req, { createGuards })
      createStreamReader((exchange, source) => {
        feed = source
        return sink
      }, null)(exchange, (exchange, error) => { outcome = error })
      while (sink.bufferedBytes !== bufferedBytes) await delay(1)
      return exchange
    }

    afterEach(() => {
      assert.equal(budget.used, 0)
    })

    it('ends with an error as soon as its sink holds more', async () => {
      const exchange = await begin(5)
      sink.bufferedBytes = 11
      feed.resume()
      assert.equal(outcome?.type, 'budget.exceeded')
      assert.equal(budget.used, 5)
      exchange.releaseGuards()
    })

    it('gives back no more than it has counted', async () => {
      const exchange = await begin(11)
      assert.equal(budget.used, 5)
      sink.bufferedBytes = 2
      feed.resume()
      assert.equal(budget.used, 2)
      feed.end()
      exchange.releaseGuards()
    })
  })

  it('ends with an error where a request that is aborted emits its end, as over HTTP/2', async () => {
    const req = requestOf(new PassThrough())
    const sink = createSink({ end: assert.fail })
    const error = await new Promise((resolve) => {
      createStreamReader(() => sink, null)(createExchange(req), (exchange, error) => resolve(error))
      req.aborted = true
      req.end('a')
    })
    assert.deepEqual([error.type, error.received], ['request.aborted', 1])
  })
})

/** Emitters in the place of requests, as adapters and mocks make them. */
const emitters = {
  'in a later turn, and has no functions of a stream': (emit) => {
    const req = new EventEmitter()
    setImmediate(emit, req)
    return req
  },
  'within resume()': (emit) => Object.assign(new EventEmitter(), {
    readableFlowing: false,
    pause () {},
    resume () {
      this.resume = () => {}
      emit(this)
    }
  }),
  'as somebody listens to its errors': (emit) => Object.assign(new EventEmitter(), {
    pause () {},
    resume () {},
    on (name, listener) {
      this.addListener(name, listener)
      if (name === 'error') emit(this)
      return this
    }
  })
}

const ROWS = [
  ['multipart()', multipart(), 'multipart/form-data; boundary=b', form, ({ files }) => files.f[0].size, 90_000],
  ['ndjson()', ndjson(), NDJSON, lines, ({ body }) => countItems(body), 10_000],
  ['jsonArray()', jsonArray(), 'application/json', '[1,2,3]', ({ body }) => countItems(body), 3]
]

async function countItems (items) {
  let count = 0
  for await (const _ of items) count++ // eslint-disable-line no-unused-vars
  return count
}

describe('an emitter in the place of a request', () => {
  for (const [how, create] of Object.entries(emitters)) {
    for (const [name, parser, type, body, read, expected] of ROWS) {
      const headers = { 'content-type': type, 'transfer-encoding': 'chunked' }
      const open = (req) => new Promise((resolve, reject) => {
        const answer = (error) => error ? reject(error) : resolve(read(req))
        parser(Object.assign(req, { headers }), {}, answer)
      })

      for (const [coding, encode] of [['identity', Buffer.from], ['gzip', zlib.gzipSync]]) {
        it(`is read by ${name} where it emits its body ${how}: ${coding}`, async () => {
          const req = create((req) => {
            req.emit('data', encode(body))
            req.emit('end')
          })
          headers['content-encoding'] = coding
          assert.equal(await open(req), expected)
        })
      }

      it(`fails ${name} with the error that it emits ${how}`, async () => {
        const error = new Error('of the emitter')
        const req = create((req) => req.emit('error', error))
        headers['content-encoding'] = 'identity'
        await assert.rejects(open(req), error)
      })
    }
  }
})

describe('a coded body whose next chunk nobody reads', () => {
  it('fails at once where it is corrupt', async () => {
    const start = zlib.deflateSync(`${HEADER}some bytes`, { finishFlush: zlib.constants.Z_SYNC_FLUSH })
    const headers = {
      'content-type': 'multipart/form-data; boundary=b',
      'content-encoding': 'deflate',
      'transfer-encoding': 'chunked'
    }
    const req = Object.assign(new PassThrough(), { headers })
    const filter = () => { // bytes of the file wait for its answer
      setImmediate(() => req.write(Buffer.alloc(1000, 0xff)))
      return never()
    }
    const failed = new Promise((resolve) => multipart({ files: { f: { filter } } })(req, {}, resolve))
    req.write(start)
    const { status, code } = await failed
    assert.deepEqual([status, code], [400, 'Z_DATA_ERROR'])
  })
})
