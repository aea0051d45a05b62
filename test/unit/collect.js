'use strict'

const assert = require('node:assert/strict')
const { IncomingMessage } = require('node:http')
const { Socket } = require('node:net')
const { mock } = require('node:test')
const { PassThrough } = require('node:stream')
const { setImmediate: turn } = require('node:timers/promises')
const { collect, obstacle } = require('../../lib/collect')
const Exchange = require('../../lib/exchange')
const { joinForGood } = require('../../lib/join')

/** A request as Node's server makes it, without a connection. */
function request () {
  const socket = new Socket()
  Object.defineProperty(socket, 'readable', { value: true, configurable: true })
  return new IncomingMessage(socket)
}

/** Collects from `req`; gives the exchange, with what came of it. */
function start (req, { limit = 100, length = null, decode = String, charset = 'utf-8', drainLimit = Infinity } = {}) {
  const seen = { bytes: [], errors: [] }
  const next = (error) => seen.errors.push(error)
  const exchange = new Exchange(req, {}, next, { charset, decode }, limit, length, (_, bytes) => seen.bytes.push(bytes), drainLimit, joinForGood)
  collect(exchange)
  return Object.assign(seen, { exchange })
}

// Up to Node 24, read() gives all that is buffered; then, a chunk at a time.
const readsAll = (() => {
  const stream = new PassThrough()
  stream.write('a')
  stream.write('b')
  return stream.read().length === 2
})()

/** The request, with a read() that gives one chunk, as that of Node 26. */
function readSingly (req) {
  const { push, read } = req
  const sizes = []
  return Object.assign(req, {
    push (chunk) {
      if (chunk !== null) sizes.push(chunk.length)
      return push.call(req, chunk)
    },
    read () {
      const size = sizes.shift()
      return sizes.length > 0 ? read.call(req, size) : read.call(req) // which queues the 'end' event
    }
  })
}

/** Lets the ticks run that are queued by now, but not the next turn. */
function ticks () {
  return new Promise((resolve) => process.nextTick(() => process.nextTick(resolve)))
}

function end (req) {
  req.complete = true
  req.push(null)
}

describe('collect', () => {
  it('takes a whole body without a copy, and listens for nothing', async () => {
    for (const completed of [true, false]) {
      for (const length of [4, null]) {
        const req = request()
        const chunk = Buffer.from('body')
        let listened = false
        req.on('newListener', () => { listened = true })
        const seen = start(req, { length })
        req.push(chunk)
        await ticks()
        assert.equal(seen.bytes.length, 0)
        if (completed) await turn()
        end(req)
        await turn()
        await turn()
        assert.equal(seen.bytes[0], chunk)
        assert.equal(seen.bytes.length, 1)
        assert.equal(listened, completed)
        assert.equal(seen.exchange.context === null, !completed)
      }
    }
  })

  it('takes what comes in one turn', async () => {
    for (const [limit, type] of [[100, undefined], [5, 'entity.too.large']]) {
      const req = request()
      const seen = start(req, { limit })
      for (const piece of ['body', 'and', 'more']) {
        req.push(Buffer.from(piece))
        await ticks()
      }
      end(req)
      await turn()
      await turn()
      if (type === undefined) assert.equal(String(seen.bytes[0]), 'bodyandmore')
      else assert.deepEqual([seen.errors[0].type, seen.errors[0].received], [type, readsAll ? 11 : 7])
      assert.equal(seen.errors.length + seen.bytes.length, 1)
    }
  })

  it('takes several chunks at once, and listens for nothing', async () => {
    const pieces = [[['bo', 'dy'], []], [['body'], ['and', 'more']], [['bo', 'dy'], ['and', 'more']]]
    for (const singly of [false, true]) {
      for (const [first, second] of pieces) {
        const req = singly ? readSingly(request()) : request()
        let listened = false
        req.on('newListener', () => { listened = true })
        const seen = start(req)
        for (const piece of first) req.push(Buffer.from(piece))
        await ticks()
        for (const piece of second) req.push(Buffer.from(piece))
        end(req)
        await turn()
        await turn()
        assert.deepEqual(seen.bytes.map(String), [[...first, ...second].join('')])
        assert.equal(seen.errors.length, 0)
        assert.equal(listened, false)
      }
    }
  })

  it('knows when somebody else has read on', async () => {
    for (const [length, type] of [[4, undefined], [null, 'stream.not.readable']]) {
      const req = request()
      const seen = start(req, { length })
      req.push(Buffer.from('body'))
      await ticks()
      req.resume()
      await ticks()
      end(req)
      await turn()
      await turn()
      assert.equal(seen.errors[0]?.type, type)
      assert.equal(seen.errors.length + seen.bytes.length, 1)
    }
  })

  it('knows that somebody has resumed and paused it, or may have', async () => {
    for (const disturb of [(req) => req.resume().pause(), (req) => req.pause()]) {
      const req = request()
      const seen = start(req)
      req.push(Buffer.from('body'))
      await ticks()
      disturb(req)
      end(req)
      await turn()
      await turn()
      assert.equal(seen.errors[0]?.type, 'stream.not.readable')
      assert.equal(seen.errors.length + seen.bytes.length, 1)
    }
  })

  it('knows when somebody has taken all before it could', async () => {
    for (const length of [4, null]) {
      const req = request()
      req.push(Buffer.from('body'))
      end(req)
      const seen = start(req, { length })
      req.resume()
      await turn()
      await turn()
      if (readsAll) assert.equal(seen.errors[0]?.type, 'stream.not.readable')
      else assert.equal(String(seen.bytes[0]), 'body') // nobody has had it
      assert.equal(seen.errors.length + seen.bytes.length, 1)
    }
  })

  it('reports once, though one event leads to another', async () => {
    for (const limit of [3, 100]) { // it drains, or collects
      const req = request()
      req.on('close', () => req.emit('error', new Error('last')))
      const seen = start(req, { limit })
      await turn()
      req.push(Buffer.from('body'))
      await turn()
      req.on('error', () => {})
      req.readable = false
      req.emit('close')
      await turn()
      assert.deepEqual(seen.errors.map((error) => error.type ?? error.message), [limit === 3 ? 'entity.too.large' : 'last'])
    }
  })

  it('drains a request that somebody pauses when it was refused', async () => {
    const req = request()
    const seen = start(req, { limit: 3 })
    await turn()
    req.push(Buffer.from('body'))
    await turn()
    for (let i = 0; i < 3; i++) {
      assert.equal(seen.errors.length, 0)
      req.pause()
      req.push(Buffer.from('more'))
      await turn()
    }
    req.pause()
    end(req)
    await turn()
    await turn()
    assert.equal(seen.errors[0]?.type, 'entity.too.large')
    assert.equal(seen.errors.length + seen.bytes.length, 1)
    for (const name of ['data', 'end', 'error', 'close', 'pause']) assert.equal(req.listenerCount(name), 0, name)
    if (readsAll) { // a Node that lets an ended request be paused
      req.pause()
      await turn()
      assert.equal(req.isPaused(), true)
    }
  })

  it('leaves a request paused that it has given up, whoever paused it last', async () => {
    const req = request()
    const seen = start(req, { limit: 3, drainLimit: 10 })
    await turn()
    req.push(Buffer.from('body'))
    await turn()
    req.prependListener('data', () => req.pause())
    req.push(Buffer.alloc(11))
    await turn()
    await turn()
    assert.equal(seen.errors[0]?.type, 'entity.too.large')
    assert.equal(req.isPaused(), true)
  })

  it('counts what came before a request was destroyed', async () => {
    const req = request()
    const seen = start(req)
    req.push(Buffer.from('body'))
    await ticks()
    req.push(Buffer.from('more'))
    req.destroy()
    await turn()
    await turn()
    assert.deepEqual([seen.errors[0].type, seen.errors[0].received], ['request.aborted', 8])
  })

  it('listens when somebody has paused the request, or put bytes back', async () => {
    for (const [length, disturb] of [[4, (req) => req.pause()], [null, (req) => req.unshift(Buffer.from('more'))]]) {
      const req = request()
      const seen = start(req, { length })
      req.push(Buffer.from('body'))
      await ticks()
      end(req)
      setImmediate(disturb, req) // after the rest was taken, if it was
      disturb(req)
      await turn()
      await turn()
      await turn()
      assert.match(String(seen.bytes[0]), /^body(more)*$/)
      assert.equal(seen.bytes.length, 1)
    }
  })

  it('reports a request that is destroyed before its end is seen', async () => {
    for (const when of ['before', 'after']) {
      const req = request()
      const seen = start(req, { length: 4 })
      req.push(Buffer.from('body'))
      await ticks()
      if (when === 'before') req.destroy()
      else setImmediate(() => req.destroy())
      await turn()
      await turn()
      await turn()
      assert.deepEqual([seen.errors[0].type, seen.errors[0].received], ['request.aborted', 4])
      assert.equal(seen.errors.length + seen.bytes.length, 1)
    }
  })

  it('answers where setImmediate is faked', async () => {
    mock.timers.enable({ apis: ['setImmediate'] })
    try {
      const req = request()
      const seen = start(req, { length: 4 })
      req.push(Buffer.from('body'))
      await turn()
      end(req)
      await turn()
      assert.equal(seen.bytes.length, 1)
    } finally {
      mock.timers.reset()
    }
  })

  it('does not trust a declared length against the framing', async () => {
    for (const [limit, type] of [[100, undefined], [5, 'entity.too.large'], [100, 'request.size.invalid']]) {
      const req = request()
      const seen = start(req, { limit, length: 4 })
      req.push(Buffer.from('body'))
      await turn()
      for (const piece of type === undefined ? [] : ['and', 'more']) req.push(Buffer.from(piece))
      end(req)
      await turn()
      await turn()
      assert.equal(seen.errors[0]?.type, type)
      assert.equal(seen.errors.length + seen.bytes.length, 1)
      if (type === 'request.size.invalid') assert.equal(seen.errors[0].received, 11)
      assert.deepEqual(req.eventNames().filter((name) => req.listenerCount(name) > 0), [])
    }
  })

  it('makes no async resource for a body that ended in the same tick', async () => {
    const req = request()
    const seen = start(req, { length: 4 })
    req.push(Buffer.from('body'))
    end(req)
    await turn()
    assert.equal(seen.bytes.length, 1)
    assert.equal(seen.exchange.context, null)
  })

  it('does not copy a single chunk that comes later', async () => {
    const req = request()
    const seen = start(req)
    await turn()
    const chunk = Buffer.from('body')
    req.push(chunk)
    end(req)
    await turn()
    assert.equal(seen.bytes[0], chunk)
  })

  it('joins chunks and lets go of them', async () => {
    const req = request()
    const seen = start(req)
    for (const text of ['a', 'bc', 'd']) {
      await turn()
      req.push(Buffer.from(text))
    }
    end(req)
    await turn()
    assert.equal(String(seen.bytes[0]), 'abcd')
    assert.deepEqual([seen.exchange.chunk, seen.exchange.chunks, seen.exchange.received], [null, null, 4])
  })

  it('gathers chunks that are tiny', async () => {
    for (const [each, most] of [[1, 1100], [511, 1100], [512, 5000]]) {
      const req = request()
      const seen = start(req, { limit: Infinity })
      await turn()
      const sent = Buffer.alloc(5000 * each)
      for (let i = 0; i < 5000; i++) {
        req.push(sent.subarray(i * each, (i + 1) * each).fill(i))
      }
      assert.ok(seen.exchange.chunks.length <= most && seen.exchange.chunks.length > most - 1050)
      end(req)
      await turn()
      assert.ok(seen.bytes[0].equals(sent))
    }
  })

  it('holds nothing of a body over the limit', async () => {
    const req = request()
    const seen = start(req, { limit: 3 })
    await turn()
    for (const text of ['ab', 'cd', 'ef']) req.push(Buffer.from(text))
    assert.deepEqual([seen.exchange.chunk, seen.exchange.chunks], [null, null])
    end(req)
    await turn()
    assert.equal(seen.errors.length, 1)
    assert.deepEqual([seen.errors[0].limit, seen.errors[0].received], [3, 4])
  })

  it('takes strings, and views of any kind with all their bytes', async () => {
    const bytes = new TextEncoder().encode('abcd')
    for (const piece of ['abcd', bytes, new Uint16Array(bytes.buffer), new DataView(bytes.buffer, 0, 4)]) {
      const req = new PassThrough({ objectMode: true })
      const seen = start(req)
      req.end(piece)
      await turn()
      await turn()
      assert.equal(String(seen.bytes[0]), 'abcd')
    }
  })

  it('never answers at once', async () => {
    const cases = [{ limit: 1, length: 5 }, { decode: null }, {}]
    for (const options of cases) {
      const req = new PassThrough()
      req.end('abc')
      const seen = start(req, options)
      assert.deepEqual([seen.bytes.length, seen.errors.length], [0, 0])
      await turn()
      await turn()
      assert.equal(seen.bytes.length + seen.errors.length, 1)
    }
  })

  it('leaves no listener behind', async () => {
    for (const options of [{}, { limit: 1 }, { limit: 1, length: 3 }, { length: 3 }, { length: 7 }]) {
      for (const wait of [false, true]) {
        const req = request()
        const seen = start(req, options)
        if (wait) await turn()
        req.push(Buffer.from('abc'))
        await turn()
        end(req)
        await turn()
        assert.equal(seen.bytes.length + seen.errors.length, 1)
        assert.deepEqual(req.eventNames().filter((name) => req.listenerCount(name) > 0), [])
      }
    }
  })

  it('finds obstacles in the order of body-parser', () => {
    const exchange = (more) => ({ req: {}, decode: String, charset: 'x', length: null, limit: 5, ...more })
    const encoded = { readableEncoding: 'utf8' }
    assert.equal(obstacle(exchange()), null)
    assert.equal(obstacle(exchange({ length: 5 })), null)
    assert.equal(obstacle(exchange({ length: NaN })), null)
    assert.equal(obstacle(exchange({ length: 6, decode: null, req: encoded })).type, 'entity.too.large')
    assert.equal(obstacle(exchange({ decode: null, req: { ...encoded, readable: false } })).type, 'stream.encoding.set')
    assert.equal(obstacle(exchange({ decode: null, req: { readable: false } })).type, 'stream.not.readable')
    assert.equal(obstacle(exchange({ decode: null })).type, 'charset.unsupported')
  })
})
