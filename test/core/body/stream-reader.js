'use strict'

const assert = require('node:assert/strict')
const { EventEmitter, once } = require('node:events')
const http = require('node:http')
const http2 = require('node:http2')
const net = require('node:net')
const { PassThrough, Readable } = require('node:stream')
const { setTimeout: delay } = require('node:timers/promises')
const zlib = require('node:zlib')
const { createBudget, multipart } = require('../../../')
const createStreamReader = require('../../../lib/core/body/stream-reader')
const attachGuards = require('../../../lib/options/guards')
const { createExchange } = require('../../support/create-exchange')
const serving = require('../../support/serving')

const TYPE = 'multipart/form-data; boundary=b'
const HEADER = '--b\r\nContent-Disposition: form-data; name="f"; filename="x"\r\n\r\n'
const form = Buffer.from(`${HEADER}${'x'.repeat(90_000)}\r\n--b--`)

async function countBytes (file) {
  let size = 0
  for await (const chunk of file) {
    size += chunk.length
    await delay(1)
  }
  return size
}

const untilAborted = (file, { signal }) => new Promise((resolve, reject) => {
  signal.addEventListener('abort', () => reject(signal.reason))
})

/** Each sends a form, and gives what leaves, once it is answered. */
const clients = {
  'HTTP/1.1': async (port, coding, body) => {
    const client = net.connect(port, '127.0.0.1').on('error', () => {})
    client.write(`POST / HTTP/1.1\r\nHost: a\r\nContent-Type: ${TYPE}\r\n` +
      `Content-Encoding: ${coding}\r\nContent-Length: ${body.length}\r\n\r\n`)
    client.write(body)
    await once(client, 'data')
    return () => client.resume().destroy()
  },
  'HTTP/2': async (port, coding, body) => {
    const socket = net.connect(port, '127.0.0.1')
    const client = http2.connect('http://127.0.0.1', { createConnection: () => socket })
    const headers = { ':method': 'POST', 'content-type': TYPE, 'content-encoding': coding }
    const stream = client.request({ ...headers, 'content-length': body.length })
    stream.on('error', () => {}).end(body)
    await once(stream.resume(), 'response')
    return () => socket.destroy()
  }
}

/** What a store makes of a form, and of its client that has an answer. */
function storedBehindAnswer (protocol, options, [coding, body], leaves = false) {
  const server = protocol === 'HTTP/2' ? http2.createServer() : http.createServer()
  const stored = new Promise((resolve) => server.on('request', (req, res) => {
    res.end()
    multipart(options).read(req, res).then(() => resolve(req.files.f[0].value), ({ type }) => resolve(type))
  }))
  return serving(server, async (port) => {
    const leave = await clients[protocol](port, coding, body)
    if (leaves) {
      await delay(30)
      leave()
    }
    return stored.finally(leave)
  })
}

describe('behind an answer', () => {
  for (const protocol of Object.keys(clients)) {
    for (const [coding, body] of [['identity', form], ['gzip', zlib.gzipSync(form, { level: 0 })]]) {
      it(`a store gets the whole body, in ${coding}, of a client that stays, over ${protocol}`, async () => {
        for (const budget of [undefined, createBudget({ bytes: '1mb' })]) {
          assert.equal(await storedBehindAnswer(protocol, { budget, store: countBytes }, [coding, body]), 90_000)
        }
      })
    }

    for (const bytes of [1000, 90_000]) {
      it(`a store is told that a client has left that had sent ${bytes} bytes, over ${protocol}`, async () => {
        const body = Buffer.concat([form.subarray(0, bytes), form.subarray(-7)])
        for (const budget of [undefined, createBudget({ bytes: '1mb' })]) {
          const options = { budget, store: untilAborted }
          assert.equal(await storedBehindAnswer(protocol, options, ['identity', body], true), 'request.aborted')
          assert.equal(budget?.used ?? 0, 0)
        }
      })
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

describe('an emitter in the place of a request', () => {
  const headers = { 'content-type': TYPE, 'transfer-encoding': 'chunked' }
  const read = (req) => multipart().read(req, {}).then(() => req.files.f[0].size)

  for (const [how, create] of Object.entries(emitters)) {
    for (const [coding, body] of [['identity', form], ['gzip', zlib.gzipSync(form)]]) {
      it(`is read where it emits its body ${how}: ${coding}`, async () => {
        const req = create((req) => {
          req.emit('data', body)
          req.emit('end')
        })
        assert.equal(await read(Object.assign(req, { headers: { ...headers, 'content-encoding': coding } })), 90_000)
      })
    }

    it(`fails with the error that it emits ${how}`, async () => {
      const error = new Error('of the emitter')
      const req = create((req) => req.emit('error', error))
      await assert.rejects(read(Object.assign(req, { headers })), error)
    })
  }
})

describe('a coded body whose next chunk nobody reads', () => {
  it('fails at once where it is corrupt', async () => {
    const start = zlib.deflateSync(`${HEADER}some bytes`, { finishFlush: zlib.constants.Z_SYNC_FLUSH })
    const headers = { 'content-type': TYPE, 'content-encoding': 'deflate', 'transfer-encoding': 'chunked' }
    const req = Object.assign(new PassThrough(), { headers })
    const filter = () => { // bytes of the file wait for its answer
      setImmediate(() => req.write(Buffer.alloc(1000, 0xff)))
      return new Promise(() => {})
    }
    const failed = new Promise((resolve) => multipart({ files: { f: { filter } } })(req, {}, resolve))
    req.write(start)
    const { status, code } = await failed
    assert.deepEqual([status, code], [400, 'Z_DATA_ERROR'])
  })
})
