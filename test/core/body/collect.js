'use strict'

const assert = require('node:assert/strict')
const { EventEmitter } = require('node:events')
const { PassThrough } = require('node:stream')
const { setImmediate: turn } = require('node:timers/promises')
const { collect, collectChunks, precheck } = require('../../../lib/core/body/collect')
const { createExchange, createRequest, endRequest, listenedTo } = require('../../support/create-exchange')

const TRANSIENT = { collect } // for a parser that reads the bytes at once
const CHUNKS = { collect: collectChunks }

const EVENTS = ['aborted', 'close', 'data', 'end', 'error']

/** Collects from `req`; gives the exchange, with everything that it delivers and all errors. */
function start (req, { limit = 100, length = null, ...settings } = {}, lane = 'identity') {
  const seen = { contents: [], lengths: [], errors: [] }
  const exchange = createExchange(req, { ...settings, next: assert.fail })
  Object.assign(exchange, { lane, length, limit })
  exchange.parser.collect(exchange, (_, error, content, received) => {
    if (error) {
      seen.errors.push(error)
    } else {
      seen.contents.push(content)
      seen.lengths.push(received)
    }
  })
  return Object.assign(seen, { exchange })
}

/** A body that is sent piece by piece; `end` gives what was collected. */
function open (settings, lane = 'identity') {
  const req = new EventEmitter()
  const seen = start(req, settings, lane)
  const end = () => {
    req.emit('end')
    return seen.contents[0]
  }
  return { end, seen, send: (piece) => req.emit('data', piece) }
}

/** What is made of these chunks. */
function receive (chunks, settings, lane) {
  const { end, send } = open({ limit: Infinity, ...settings }, lane)
  for (const chunk of chunks) send(typeof chunk === 'string' ? Buffer.from(chunk) : chunk)
  return end()
}

const calls = ({ contents, errors }) => contents.length + errors.length

describe('collect', () => {
  it('listens within the call, once to each of five events', () => {
    const req = createRequest()
    start(req)
    assert.deepEqual(listenedTo(req), EVENTS)
    for (const name of EVENTS) assert.equal(req.listenerCount(name), 1, name)
  })

  it('leaves no listener behind', async () => {
    const finish = {
      'at the end': endRequest,
      'at an error': (req) => req.listenerCount('error') > 0 && req.emit('error', new Error('broken')), // as Node does
      'at an abort': (req) => req.emit('aborted'),
      'at a close': (req) => req.emit('close')
    }
    for (const options of [{}, { limit: 1 }, { limit: 1, length: 3 }, { length: 3 }, { length: 7 }]) {
      for (const [when, act] of Object.entries(finish)) {
        const req = createRequest()
        const seen = start(req, options)
        req.push(Buffer.from('abc'))
        await turn()
        act(req)
        await turn()
        assert.equal(calls(seen), 1, when)
        assert.deepEqual(listenedTo(req), [], when)
      }
    }
  })

  it('does not copy a single chunk', async () => {
    const req = createRequest()
    const seen = start(req, { length: 4 })
    const chunk = Buffer.allocUnsafeSlow(4).fill('body') // as of Node's HTTP/1 server
    req.push(chunk)
    endRequest(req)
    await turn()
    assert.equal(seen.contents[0], chunk)
    assert.deepEqual(seen.lengths, [4])
  })

  it('joins chunks and drops its references to them', async () => {
    const req = createRequest()
    const seen = start(req)
    for (const text of ['a', 'bc', 'd']) {
      req.push(Buffer.from(text))
      await turn()
    }
    endRequest(req)
    await turn()
    assert.deepEqual(seen.contents.map(String), ['abcd'])
    seen.exchange.complete(4)
    assert.equal(seen.exchange.received, 4)
  })

  it('stops at the first byte over the limit', async () => {
    const req = createRequest()
    const seen = start(req, { limit: 3 })
    for (const text of ['ab', 'cd', 'ef']) req.push(Buffer.from(text))
    await turn()
    endRequest(req)
    await turn()
    assert.deepEqual(seen.errors.map(({ type, limit, received }) => [type, limit, received]),
      [['entity.too.large', 3, 4]])
    assert.equal(calls(seen), 1)
  })

  it('reports a body that ends at another length than the declared one', async () => {
    for (const text of ['bod', 'bodys']) {
      const req = createRequest()
      const seen = start(req, { length: 4 })
      req.push(Buffer.from(text))
      endRequest(req)
      await turn()
      assert.deepEqual(seen.errors.map(({ type, length, received }) => [type, length, received]),
        [['request.size.invalid', 4, text.length]])
      assert.equal(calls(seen), 1)
    }
  })

  it('is ended by `aborted`, before `error` and `close`', async () => {
    for (const order of [['aborted', 'error', 'close'], ['aborted', 'close', 'error']]) {
      const req = Object.assign(new EventEmitter(), { complete: false, socket: null, resume () {} })
      const seen = start(req, { length: 9 })
      req.on('error', () => {})
      req.emit('data', Buffer.from('body'))
      for (const name of order) req.emit(name, name === 'error' ? new Error('socket hang up') : undefined)
      assert.deepEqual(seen.errors.map(({ type, length, received }) => [type, length, received]),
        [['request.aborted', 9, 4]])
      assert.equal(calls(seen), 1)
    }
  })

  it('takes a stream that closes before its end for an aborted request', async () => {
    const req = new PassThrough()
    const seen = start(req)
    req.write('body')
    await turn()
    req.destroy()
    await turn()
    assert.deepEqual(seen.errors.map(({ type, received }) => [type, received]), [['request.aborted', 4]])
    assert.equal(calls(seen), 1)
  })

  it('reports an aborted HTTP/2 request without a length, whose stream ends all the same', () => {
    const req = Object.assign(new EventEmitter(), { aborted: true })
    const seen = start(req)
    req.emit('data', Buffer.from('body'))
    req.emit('end')
    assert.deepEqual(seen.errors.map(({ type, length, received }) => [type, length, received]),
      [['request.aborted', null, 4]])
    assert.equal(calls(seen), 1)
  })

  it('passes on an error of the stream with status 400, or its own', () => {
    for (const [error, status] of [
      [new Error('broken'), 400],
      [Object.assign(new Error('broken'), { status: 418 }), 418]
    ]) {
      const req = new EventEmitter()
      const seen = start(req)
      req.emit('error', error)
      assert.deepEqual(seen.errors, [error])
      assert.equal(error.status, status)
    }
  })

  it('takes an `error` event without an error for the end, as body-parser does', () => {
    const req = new EventEmitter()
    const seen = start(req)
    req.emit('data', Buffer.from('body'))
    req.emit('error')
    assert.deepEqual(seen.contents.map(String), ['body'])
    assert.equal(calls(seen), 1)
  })

  it('reports once, although one event leads to another', async () => {
    for (const [limit, expected] of [[3, 'entity.too.large'], [100, 'last']]) {
      const req = createRequest()
      req.on('close', () => req.emit('error', new Error('last')))
      req.on('error', () => {})
      const seen = start(req, { limit })
      req.push(Buffer.from('body'))
      await turn()
      req.readable = false
      req.emit('close')
      await turn()
      assert.deepEqual(seen.errors.map((error) => error.type ?? error.message), [expected])
      assert.equal(calls(seen), 1)
    }
  })

  it('ignores events that are emitted once more to the listeners of the time before', async () => {
    const req = new EventEmitter()
    req.on('end', () => req.emit('aborted'))
    const first = start(req)
    const second = start(req)
    req.emit('data', Buffer.from('body'))
    req.emit('end')
    for (const seen of [first, second]) assert.deepEqual([calls(seen), seen.errors[0].type], [1, 'request.aborted'])
  })

  it('holds no chunk that ends the request before it gets it', () => {
    const req = new EventEmitter()
    req.on('data', () => req.emit('aborted'))
    const { errors, exchange } = start(req)
    req.emit('data', Buffer.from('body'))
    assert.deepEqual([errors.length, exchange.received], [1, 0])
  })

  it('resumes a request that was paused explicitly', async () => {
    const req = createRequest()
    req.pause()
    const seen = start(req)
    req.push(Buffer.from('body'))
    endRequest(req)
    await turn()
    assert.deepEqual(seen.contents.map(String), ['body'])
  })

  it('waits while the request is paused', async () => {
    const req = createRequest()
    const seen = start(req)
    req.push(Buffer.from('body'))
    await turn()
    req.pause()
    endRequest(req)
    await turn()
    assert.equal(calls(seen), 0)
    req.resume()
    await turn()
    assert.deepEqual(seen.contents.map(String), ['body'])
  })

  it('takes strings, and views of any kind with all their bytes', async () => {
    const bytes = new TextEncoder().encode('abcd')
    for (const piece of ['abcd', bytes, new Uint16Array(bytes.buffer), new DataView(bytes.buffer, 0, 4)]) {
      const req = new PassThrough({ objectMode: true })
      const seen = start(req)
      req.end(piece)
      await turn()
      await turn()
      assert.deepEqual(seen.contents.map(String), ['abcd'])
    }
  })

  it('takes the text of a request whose encoding was set while it was read', async () => {
    const req = createRequest()
    const seen = start(req)
    req.setEncoding('utf8')
    req.push(Buffer.from('body'))
    await turn()
    endRequest(req)
    await turn()
    assert.deepEqual(seen.contents.map(String), ['body'])
    assert.equal(calls(seen), 1)
  })

  const GUARDED = { createGuards: () => ({ deadline: null, reservation: null }) }

  it('ends when its exchange is aborted, which only a guard does', async () => {
    const fault = new Error('aborted')
    const req = createRequest()
    const seen = start(req, GUARDED)
    seen.exchange.abort(fault, false)
    seen.exchange.abort(new Error('once more'), false)
    endRequest(req)
    await turn()
    assert.deepEqual([seen.errors, seen.exchange.onAbort], [[fault], null])
  })

  it('cannot be aborted once it has ended', async () => {
    const req = createRequest()
    const seen = start(req, GUARDED)
    endRequest(req)
    await turn()
    seen.exchange.abort(new Error('too late'), false)
    assert.deepEqual([seen.contents.length, seen.errors, seen.exchange.onAbort], [1, [], null])
  })

  it('never answers within the call', async () => {
    for (const options of [{ limit: 1, length: 5 }, { decode: null }, {}]) {
      const req = new PassThrough()
      req.end('abc')
      const seen = start(req, options)
      assert.equal(calls(seen), 0)
      await turn()
      await turn()
      assert.equal(calls(seen), 1)
    }
  })

  it('checks in the order of body-parser what makes a request unreadable', () => {
    const exchangeOf = ({ req = {}, decode = String, length = null } = {}) => {
      const exchange = createExchange(req, { charset: 'x', decode })
      Object.assign(exchange, { limit: 5, length })
      return exchange
    }
    const encoded = { readableEncoding: 'utf8' }
    assert.equal(precheck(exchangeOf()), null)
    assert.equal(precheck(exchangeOf({ length: 5 })), null)
    assert.equal(precheck(exchangeOf({ length: NaN })), null)
    assert.equal(precheck(exchangeOf({ length: 6, decode: null, req: encoded })).type, 'entity.too.large')
    assert.equal(precheck(exchangeOf({ decode: null, req: { ...encoded, readable: false } })).type,
      'stream.encoding.set')
    assert.equal(precheck(exchangeOf({ decode: null, req: { readable: false } })).type, 'stream.not.readable')
    assert.equal(precheck(exchangeOf({ decode: null })).type, 'charset.unsupported')
  })
})

describe('what collect gives', () => {
  it('counts what was received, and ends with the first byte over the limit', () => {
    const { send, seen } = open({ limit: 4 })
    send('abcd')
    assert.deepEqual([seen.errors, seen.exchange.received], [[], 4])
    send('e')
    const [{ type, limit, received }] = seen.errors
    assert.deepEqual([type, limit, received, seen.exchange.received], ['entity.too.large', 4, 5, 5])
  })

  it('takes text as UTF-8', () => {
    const { end, seen, send } = open()
    send('é')
    assert.equal(seen.exchange.received, 2)
    assert.deepEqual(end(), Buffer.from('é'))
  })

  it('takes the bytes of any view', () => {
    const { end, send } = open()
    for (const bytes of [new Uint16Array([0x6261]), new DataView(Uint8Array.of(0x63, 0x64, 0x65).buffer, 1, 1)]) {
      send(bytes)
    }
    assert.equal(String(end()), 'abd')
  })

  it('copies small chunks together, and leaves larger ones alone', () => {
    for (const [size, count] of [[0, 1], [1, 2], [500, 40], [2047, 158], [2048, 5000]]) {
      const sent = Buffer.alloc(5000 * size)
      const { end, send } = open({ limit: Infinity, ...CHUNKS })
      for (let i = 0; i < 5000; i++) send(sent.subarray(i * size, (i + 1) * size).fill(i))
      const pieces = end()
      assert.ok(pieces.length <= count + 1, `${pieces.length} chunks`)
      assert.ok(Buffer.concat(pieces).equals(sent))
    }
  })

  it('keeps the order of small and large chunks', () => {
    const chunks = ['a', 'b', 'c'.repeat(3000), 'd', 'e', 'f'.repeat(2048), 'g'.repeat(2047)]
    assert.equal(String(receive(chunks)), chunks.join(''))
  })

  it('is an empty Buffer where nothing was received', () => {
    for (const settings of [{}, TRANSIENT]) assert.deepEqual(receive([], settings), Buffer.alloc(0))
    assert.notEqual(receive([]), receive([])) // it is the app's
  })

  it('is a single chunk as it is', () => {
    const chunk = Buffer.allocUnsafeSlow(1).fill('a') // as of Node's HTTP/1 server
    for (const settings of [{}, TRANSIENT]) assert.equal(receive([chunk], settings), chunk)
  })

  it('is a copy of a single chunk that would keep a large buffer, for a parser that keeps bytes', () => {
    const chunk = Buffer.alloc(64 * 1024, 'a').subarray(0, 10) // as of Node's HTTP/2 server
    for (const [settings, isCopied] of [[{}, true], [TRANSIENT, false]]) {
      const content = receive([chunk], settings)
      assert.deepEqual(content, chunk)
      assert.equal(content.buffer !== chunk.buffer, isCopied)
    }
  })

  it('are the chunks for a parser that takes them', () => {
    for (const chunks of [[''], ['a'], ['a', 'b']]) assert.deepEqual(receive(chunks, CHUNKS).map(String), chunks)
    assert.equal(Buffer.concat(receive([], CHUNKS)).length, 0)
  })

  it('is one Buffer of the bytes of a coded body, even for a parser that takes chunks', () => {
    assert.deepEqual(receive(['a', 'b'], TRANSIENT, 'one-shot'), Buffer.from('ab'))
  })

  it('has chunks of any size', () => {
    for (const settings of [{}, TRANSIENT]) {
      assert.equal(String(receive(['a', 'bc', '', 'd'], settings)), 'abcd')
      assert.equal(receive(['longer', 'than the next'], settings).length, 19)
      assert.equal(String(receive(['sho', 'rt'], settings)), 'short')
    }
  })

  it('has memory of its own', () => {
    const kept = receive(['ke', 'pt'])
    const bytes = receive(['co', 'de'], TRANSIENT, 'one-shot')
    for (const settings of [{}, TRANSIENT]) receive(['ot', 'her'], settings)
    assert.deepEqual([kept, bytes].map(String), ['kept', 'code'])
  })
})
