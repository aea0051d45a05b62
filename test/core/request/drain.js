'use strict'

const assert = require('node:assert/strict')
const { EventEmitter, once } = require('node:events')
const { PassThrough, Readable } = require('node:stream')
const { setImmediate: turn } = require('node:timers/promises')
const { drain, drainRest } = require('../../../lib/core/request/drain')
const { createExchange, createRequest, endRequest, listenedTo } = require('../../support/create-exchange')

/** Drains `req`; gives the calls of `next`. */
function start (req, { length, ...settings } = {}) {
  const calls = []
  req.headers ??= {}
  if (length !== undefined) req.headers['content-length'] = String(length)
  drain(createExchange(req, { ...settings, next: (error) => calls.push(error) }), FAULT)
  return calls
}

const FAULT = new Error('the fault')

/** A request of another server than Node's own for HTTP/1, such as that of HTTP/2. */
function foreign (fields) {
  const request = { complete: false, headers: {}, socket: { readable: true }, ...fields }
  return Object.assign(new Readable({ read () {} }), request)
}

describe('drain', () => {
  it('reads off the request, then fails the exchange', async () => {
    const req = createRequest()
    const calls = start(req)
    req.push(Buffer.from('rest'))
    await turn()
    assert.deepEqual(calls, [])
    endRequest(req)
    await turn()
    assert.deepEqual(calls, [FAULT])
    assert.deepEqual(listenedTo(req), [])
  })

  /** [what, the request, when `next` is called, whether the request flows then] */
  const finished = [
    ['is not a request of a connection', () => Readable.from(['rest']), 'at once', true],
    ['cannot be read any more', () => foreign({ readable: false }), 'at once', true],
    ['has lost its connection', () => foreign({ socket: { readable: false } }), 'at once', false],
    ['has left with its client', () => foreign({ aborted: true, socket: { readable: false } }), 'later', false],
    ['is closed, which tells nothing more', async () => {
      const req = foreign()
      await once(req.destroy(), 'close')
      return req
    }, 'at once', new PassThrough().destroy().resume().readableFlowing], // Node.js 26 ignores `resume` then
    ['has no methods of a stream', () => ({}), 'at once', undefined]
  ]
  for (const [what, create, when, isFlowing] of finished) {
    it(`fails the exchange ${when} if the request ${what}`, async () => {
      const req = await create()
      const calls = start(req)
      assert.deepEqual(calls, when === 'at once' ? [FAULT] : [])
      await turn()
      assert.deepEqual([calls, req.on ? listenedTo(req) : [], req.readableFlowing], [[FAULT], [], isFlowing])
    })
  }

  it('does not listen to `error` of a request of HTTP/1, where that would show', () => {
    const req = createRequest()
    start(req)
    assert.deepEqual(listenedTo(req), ['close', 'data', 'end', 'pause'])
  })

  it('listens to `error` of any other request, which would crash the process otherwise', async () => {
    const req = foreign()
    const calls = start(req)
    assert.deepEqual(listenedTo(req).filter((name) => name === 'error'), ['error'])
    req.destroy(new Error('reset'))
    await turn()
    await turn()
    assert.deepEqual(calls, [FAULT])
    assert.equal(req.listenerCount('data'), 0)
    assert.equal(req.listenerCount('pause'), 0)
  })

  for (const name of ['aborted', 'close', 'end']) {
    it(`ends with \`${name}\`, and reports once although others follow`, () => {
      const req = foreign()
      const calls = start(req)
      for (const event of [name, 'aborted', 'close', 'end']) req.emit(event)
      assert.deepEqual(calls, [FAULT])
      assert.deepEqual(listenedTo(req), [])
    })
  }

  it('reports once to listeners of the time before an event', () => {
    const req = foreign()
    req.on('end', () => req.emit('close'))
    const calls = start(req)
    req.emit('end')
    assert.deepEqual(calls, [FAULT])
  })

  it('resumes a request that is paused', async () => {
    const req = createRequest()
    const calls = start(req)
    for (let i = 0; i < 3; i++) {
      req.pause()
      req.push(Buffer.from('more'))
      await turn()
      assert.deepEqual([calls.length, req.readableLength], [0, 0])
    }
    req.pause()
    endRequest(req)
    await turn()
    await turn()
    assert.deepEqual(calls, [FAULT])
  })

  it('leaves a request paused once it has failed the exchange', async () => {
    const req = foreign()
    const calls = start(req)
    req.emit('pause')
    req.emit('end') // before the tick in which it would be resumed
    req.pause()
    await turn()
    assert.deepEqual([calls.length, req.isPaused()], [1, true])
  })

  it('detaches pipes, whose destination could hold up the request', async () => {
    const req = createRequest()
    const destination = new PassThrough({ highWaterMark: 1 })
    req.pipe(destination)
    const calls = start(req)
    req.push(Buffer.alloc(100))
    endRequest(req)
    await turn()
    await turn()
    assert.deepEqual(calls, [FAULT])
    assert.equal(destination.readableLength, 0)
  })

  it('waits for the end of a request that is just being destroyed', async () => {
    const req = foreign()
    req._destroy = (error, done) => setImmediate(done, error)
    req.destroy()
    const calls = start(req)
    assert.deepEqual(calls, [])
    while (!req.closed) await turn()
    await turn()
    await turn()
    assert.deepEqual(calls, [FAULT])
  })

  describe('waits, once the request is closed,', () => {
    /** A connection in some state, and the request and the calls of `next`. */
    function closeWith (state, more = {}) {
      const socket = Object.assign(new EventEmitter(), { readable: true, ...state })
      const req = foreign({ socket, ...more })
      const calls = start(req)
      req.emit('close')
      return { calls, req, socket }
    }

    for (const event of ['close', 'error']) {
      it(`for \`${event}\` of a connection that is being destroyed`, async () => {
        const { calls, req, socket } = closeWith({ destroyed: true, closed: false })
        await turn()
        await turn()
        assert.deepEqual(calls, [])
        socket.emit(event)
        assert.deepEqual([calls, listenedTo(req), listenedTo(socket)], [[FAULT], [], []])
      })
    }

    for (const [what, state, more] of [
      ['is open', { destroyed: false, closed: false }],
      ['is closed', { destroyed: true, closed: true }],
      ['does not tell', {}],
      ['is that of a session of HTTP/2', { destroyed: true, closed: false }, { httpVersionMajor: 2 }],
      ['cannot be listened to', { destroyed: true, closed: false, on: undefined }]
    ]) {
      it(`for nothing if the connection ${what}`, async () => {
        const { calls, socket } = closeWith(state, more)
        assert.deepEqual(calls, []) // within the event
        await turn()
        await turn()
        assert.deepEqual([calls, listenedTo(socket)], [[FAULT], []])
      })
    }
  })

  it('closes the connection only if what is still to come of the declared length is over `drainLimit`', () => {
    for (const [received, isClosed] of [[0, true], [9, true], [10, false]]) {
      const req = createRequest()
      req.headers = { 'content-length': '110' }
      const res = Object.assign(new EventEmitter(), { writableFinished: false, shouldKeepAlive: true })
      const exchange = createExchange(req, { res, drainLimit: 100 })
      exchange.count(received)
      drain(exchange, FAULT)
      assert.equal(req.socket.readable, !isClosed, `${received} bytes received`)
    }
  })
})

describe('drainRest', () => {
  for (const [what, length, chunks, isClosed] of [
    ['closes the stream of HTTP/2 once, for more than `drainLimit`', 1000, 3, true],
    ['leaves open the stream of a body that has arrived whole with it', 30, 2, false]
  ]) {
    it(what, () => {
      const stream = Object.assign(new EventEmitter(), { close () {}, destroyed: false, readableLength: 0 })
      const req = foreign({ headers: { 'content-length': String(length) }, httpVersionMajor: 2, stream })
      const exchange = createExchange(req, { drainLimit: 10 })
      exchange.count(10)
      drainRest(exchange)
      for (let sent = 0; sent < chunks; sent++) req.emit('data', Buffer.alloc(10))
      assert.equal(stream.listenerCount('finish'), isClosed ? 1 : 0) // behind the response
      assert.equal(req.listenerCount('data'), isClosed ? 0 : 1)
    })
  }
})
