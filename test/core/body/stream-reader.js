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
const Feed = require('../../../lib/core/body/feed')
const createStreamReader = require('../../../lib/core/body/stream-reader')
const Source = require('../../../lib/core/source/source')
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

describe('a feed', () => {
  const refused = new Error('of the budget')

  /** That has read five bytes, after which its sink holds so many; in a budget of ten. */
  function begin (bufferedBytes) {
    const seen = { used: 0, waits: 0, outcomes: [] }
    const reserve = (bytes) => {
      if (seen.used + bytes > 10) return refused
      seen.used += bytes
      return null
    }
    const guards = { reserve, beginWait: () => seen.waits++, endWait: () => seen.waits-- }
    const sink = createSink({ isBlocked: true, write () { this.bufferedBytes = bufferedBytes } })
    const feed = new Feed(guards, (error) => seen.outcomes.push(error))
    feed.begin(sink, Source.of(Buffer.from('bytes')))
    assert.equal(seen.waits, 1)
    return { feed, seen, sink }
  }

  for (const outcome of [null, new Error('enough')]) {
    it(`counts the time that the client waits up to ${outcome === null ? 'the end' : 'an error'} of its sink`, () => {
      const { feed, seen } = begin(5)
      if (outcome === null) feed.end()
      else feed.fail(outcome)
      assert.deepEqual(seen, { used: 5, waits: 0, outcomes: [outcome] })
    })
  }

  it('ends with an error as soon as its sink holds more than the budget', () => {
    const { feed, seen, sink } = begin(5)
    sink.bufferedBytes = 11
    feed.resume()
    assert.deepEqual(seen, { used: 5, waits: 0, outcomes: [refused] })
  })

  it('gives back no more than it has counted', () => {
    const { feed, seen, sink } = begin(11)
    assert.deepEqual([seen.used, seen.waits], [5, 1])
    sink.bufferedBytes = 2
    feed.resume()
    assert.deepEqual([seen.used, seen.waits], [2, 0])
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
