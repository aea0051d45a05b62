'use strict'

const assert = require('node:assert/strict')
const { AsyncLocalStorage, executionAsyncId } = require('node:async_hooks')
const { EventEmitter } = require('node:events')
const { mock } = require('node:test')
const Exchange = require('../../lib/body/exchange')
const { Match } = require('../../lib/body/match')
const { createExchange } = require('../support/create-exchange')

const MIB = 1024 * 1024 // bytes

/** An exchange that has received these chunks. */
function receive (chunks, settings) {
  const exchange = createExchange({}, settings)
  for (const chunk of chunks) assert.equal(exchange.add(Buffer.from(chunk)), null)
  return exchange
}

const TRANSIENT = { keepsBytes: false } // a decoder reads the bytes at once

describe('Exchange', () => {
  it('has all its fields from the start, always in the same order', () => {
    const parts = { req: {}, res: {}, next: () => {}, match: new Match({}), parser: { limit: Infinity, createGuard: null } }
    const exchange = new Exchange(parts)
    assert.deepEqual(Object.entries(exchange), [
      ...Object.entries(parts), ['lane', 'identity'], ['limit', Infinity], ['length', null], ['received', 0], ['decoded', null],
      ['chunk', null], ['chunks', null], ['waits', 0], ['waited', 0], ['waitsSince', null], ['controller', null], ['onAbort', null], ['mustClose', false], ['guard', null]
    ])
    const names = Object.keys(exchange)
    Object.assign(exchange, { limit: 5, length: 5 })
    exchange.lane = 'stream'
    exchange.add(Buffer.from('a'))
    exchange.complete(1)
    assert.deepEqual(Object.keys(exchange), names)
    assert.throws(() => Exchange(parts), TypeError)
  })

  it('is an async resource of its own', () => {
    const exchange = createExchange({})
    assert.equal(exchange.runInAsyncScope(executionAsyncId), exchange.asyncId())
    assert.notEqual(exchange.asyncId(), executionAsyncId())
  })

  it('counts the time that the client waits for two things once', () => {
    let now = 100
    const clock = mock.method(performance, 'now', () => now)
    const exchange = createExchange({})
    for (const [time, act] of [[100, 'beginWait'], [110, 'beginWait'], [130, 'endWait']]) {
      now = time
      exchange[act]()
      assert.deepEqual([exchange.waitsSince, exchange.waited], [100, 0])
    }
    now = 160
    exchange.endWait()
    assert.deepEqual([exchange.waitsSince, exchange.waited], [null, 60])
    clock.mock.restore()
  })

  it('calls next with nothing but the error', () => {
    const calls = []
    const exchange = createExchange({}, { next: (...args) => calls.push(args) })
    exchange.succeed()
    exchange.fail('error')
    assert.deepEqual(calls, [[], ['error']])
  })

  it('calls next over HTTP/2 only when a stream that is closing is destroyed, in its async context', () => {
    for (const act of ['succeed', 'fail']) {
      const storage = new AsyncLocalStorage()
      const calls = []
      const stream = Object.assign(new EventEmitter(), { closed: true, destroyed: false })
      const req = { httpVersionMajor: 2, stream, resume: () => calls.push('resume') }
      const exchange = storage.run('request', () => createExchange(req, { next: (...args) => calls.push([storage.getStore(), ...args]) }))
      exchange[act]('error')
      assert.deepEqual(calls, ['resume'])
      stream.destroyed = true
      stream.emit('close')
      assert.deepEqual(calls.slice(1), [act === 'fail' ? ['request', 'error'] : ['request']])
    }
  })

  describe('add', () => {
    it('counts what was received, and reports the first byte over the limit', () => {
      const exchange = createExchange({})
      Object.assign(exchange, { limit: 4, length: null })
      assert.equal(exchange.add(Buffer.from('abcd')), null)
      const { type, limit, received } = exchange.add(Buffer.from('e'))
      assert.deepEqual([type, limit, received, exchange.received], ['entity.too.large', 4, 5, 5])
    })

    it('takes text as UTF-8', () => {
      const exchange = createExchange({})
      assert.equal(exchange.add('é'), null)
      assert.equal(exchange.received, 2)
      assert.deepEqual(exchange.takeContent(), Buffer.from('é'))
    })

    it('takes the bytes of any view', () => {
      const exchange = createExchange({})
      for (const bytes of [new Uint16Array([0x6261]), new DataView(Uint8Array.of(0x63, 0x64, 0x65).buffer, 1, 1)]) assert.equal(exchange.add(bytes), null)
      assert.equal(String(exchange.takeContent()), 'abd')
    })

    it('copies small chunks together, and leaves larger ones alone', () => {
      for (const [size, count] of [[0, 1], [1, 2], [500, 40], [2047, 158], [2048, 5000]]) {
        const sent = Buffer.alloc(5000 * size)
        const exchange = createExchange({})
        for (let i = 0; i < 5000; i++) exchange.add(sent.subarray(i * size, (i + 1) * size).fill(i))
        const { length } = exchange.chunks.pieces()
        assert.ok(length <= count + 1, `${length} chunks`)
        assert.ok(exchange.takeContent().equals(sent))
      }
    })

    it('keeps the order of small and large chunks', () => {
      const exchange = createExchange({})
      const chunks = ['a', 'b', 'c'.repeat(3000), 'd', 'e', 'f'.repeat(2048), 'g'.repeat(2047)]
      for (const chunk of chunks) exchange.add(Buffer.from(chunk))
      assert.equal(String(exchange.takeContent()), chunks.join(''))
    })

    it('takes at most twice the memory of the bytes that come one by one', () => {
      const exchange = createExchange({})
      for (let i = 0; i < 5000; i++) exchange.add(Buffer.of(i))
      assert.ok(exchange.chunks.tail.length <= 2 * 5000, `${exchange.chunks.tail.length} bytes`)
    })
  })

  it('discards what it has received, and tells its guard', () => {
    const calls = []
    const createGuard = () => ({ held: (bytes) => { calls.push(bytes); return null }, discarded: () => calls.push('discarded') })
    for (const chunks of [['a'], ['a', 'b']]) {
      const exchange = receive(chunks, { createGuard })
      exchange.discard()
      assert.deepEqual([exchange.chunk, exchange.chunks, calls.splice(0)], [null, null, [...chunks.map(() => 1), 'discarded']])
    }
  })

  it('cannot be read on if its guard refuses what it holds', () => {
    const fault = new Error('no more')
    const exchange = createExchange({}, { createGuard: () => ({ held: (bytes) => bytes > 1 ? fault : null }) })
    assert.deepEqual([exchange.add(Buffer.from('a')), exchange.add(Buffer.from('bc')), exchange.hold(1), exchange.hold(2)], [null, fault, null, fault])
  })

  describe('takeContent', () => {
    it('returns an empty Buffer where nothing was received', () => {
      assert.deepEqual(receive([]).takeContent(), Buffer.alloc(0))
    })

    it('returns a single chunk as it is', () => {
      const chunk = Buffer.allocUnsafeSlow(1).fill('a') // as of Node's HTTP/1 server
      for (const settings of [{}, TRANSIENT]) {
        const exchange = createExchange({}, settings)
        exchange.add(chunk)
        assert.equal(exchange.takeContent(), chunk)
      }
    })

    it('copies a single chunk that would keep a large buffer, for a parser that keeps bytes', () => {
      const chunk = Buffer.alloc(64 * 1024, 'a').subarray(0, 10) // as of Node's HTTP/2 server
      for (const [settings, isCopied] of [[{}, true], [TRANSIENT, false]]) {
        const exchange = createExchange({}, settings)
        exchange.add(chunk)
        const content = exchange.takeContent()
        assert.deepEqual(content, chunk)
        assert.equal(content.buffer !== chunk.buffer, isCopied)
      }
    })

    it('returns the chunks to a parser that takes them', () => {
      const texts = (content) => content.map(String)
      for (const chunks of [[], ['a'], ['a', 'b']]) assert.deepEqual(texts(receive(chunks, { takesChunks: true }).takeContent()), chunks)
    })

    it('returns one Buffer of the bytes of a coded body, even to a parser that takes chunks', () => {
      const exchange = receive(['a', 'b'], { takesChunks: true })
      exchange.lane = 'one-shot'
      assert.deepEqual(exchange.takeContent(), Buffer.from('ab'))
    })

    it('joins chunks of any size', () => {
      for (const settings of [{}, TRANSIENT]) {
        assert.equal(String(receive(['a', 'bc', '', 'd'], settings).takeContent()), 'abcd')
        assert.equal(receive(['longer', 'than the next'], settings).takeContent().length, 19)
        assert.equal(String(receive(['sho', 'rt'], settings).takeContent()), 'short')
      }
    })

    it('joins bytes that may be kept in memory of their own', () => {
      const kept = receive(['ke', 'pt']).takeContent()
      const coded = receive(['co', 'de'], TRANSIENT)
      coded.lane = 'one-shot'
      const bytes = coded.takeContent()
      for (const settings of [{}, TRANSIENT]) receive(['ot', 'her'], settings).takeContent()
      assert.deepEqual([kept, bytes].map(String), ['kept', 'code'])
    })

    it('joins bytes that are decoded at once in the same memory again, unless a body is large', () => {
      const join = (...chunks) => receive(chunks, TRANSIENT).takeContent()
      const first = join(Buffer.alloc(MIB - 1), Buffer.alloc(1))
      const second = join('a', 'b')
      const large = join(Buffer.alloc(MIB, 1), Buffer.alloc(1, 2))
      assert.equal(first.length, MIB)
      assert.equal(second.buffer, first.buffer)
      assert.notEqual(large.buffer, first.buffer)
      assert.deepEqual([large.length, large[0], large[MIB]], [MIB + 1, 1, 2])
    })

    it('drops the chunks', () => {
      for (const chunks of [['a'], ['a', 'b']]) {
        const exchange = receive(chunks)
        exchange.takeContent()
        assert.deepEqual([exchange.chunk, exchange.chunks], [null, null])
      }
    })
  })
})
