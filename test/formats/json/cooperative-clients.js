'use strict'

// Option `cooperative`, with clients that leave, pipeline, or send bodies that
// take long to parse.

const assert = require('node:assert/strict')
const { EventEmitter } = require('node:events')
const { mock } = require('node:test')
const { Readable } = require('node:stream')
const { setTimeout: delay } = require('node:timers/promises')
const { json } = require('fast-body-parser')
const { serializeRequest } = require('../../../tools/http-message')
const LocalServer = require('../../../tools/local-server')
const Talk = require('../../../tools/talk')
const { createStorage } = require('../../support/async-storage')
const HANG_TIME = require('../../support/hang-time')
const { noteUncaught } = require('../../support/uncaught')
const until = require('../../support/until')

const slow = `[${'[1,'.repeat(2 ** 17)}` // takes half a second in slices of this length
const TINY = { cooperative: { slice: 1e-9, threshold: '100kb' }, limit: '1mb' }
const SMALL = { cooperative: { threshold: 10 } }
const large = `[${' '.repeat(20)}]` // for a threshold of 10

const requestOf = (body, path = '/') =>
  serializeRequest({ path, headers: { 'Content-Type': 'application/json' }, body: Buffer.from(body) })

describe('option cooperative with many clients', () => {
  let server

  afterEach(() => server?.close())

  /** Opens a server with this handler, and a connection to it. */
  async function connect (handle) {
    server = await LocalServer.open(handle)
    return Talk.open(server)
  }

  /** A handler that answers each request by what becomes of it, and notes that. */
  function handlerOf (parser, outcomes, outcomeOf = (req) => req.body.length) {
    return (req, res) => parser(req, res, (error) => {
      outcomes.push(error?.type ?? error?.message ?? outcomeOf(req))
      res.end(';')
    })
  }

  it('calls next at once for clients that leave, whether their bodies are being parsed or wait', async () => {
    let requests = 0
    const outcomes = []
    const handle = handlerOf(json(TINY), outcomes)
    const talks = [await connect((req, res) => { requests++; handle(req, res) })]
    while (talks.length < 6) talks.push(await Talk.open(server))
    for (const talk of talks) talk.write(requestOf(slow))
    await Promise.all(talks.map((talk) => talk.delivered()))
    await until(() => requests === 6)
    assert.deepEqual(outcomes, [])
    for (const talk of talks) talk.close()
    await until(() => outcomes.length === 6)
    assert.deepEqual(new Set(outcomes), new Set(['request.aborted']))
  })

  it('answers pipelined requests in their order, with their bodies, each in its async context', async () => {
    const storage = createStorage()
    const parser = json(SMALL)
    const outcomes = []
    const talk = await connect((req, res) => storage.run(req.url, () => parser(req, res, () => {
      outcomes.push([storage.getStore(), req.body.at(-1)])
      res.end()
    })))
    talk.write(Buffer.concat(Array.from({ length: 5 }, (_, i) =>
      requestOf(i % 2 === 0 ? `[${'1,'.repeat(9000)}${i}]` : `[${i}]`, `/${i}`))))
    await talk.until(() => talk.answers === 5, HANG_TIME)
    assert.deepEqual(outcomes, [['/0', 0], ['/1', 1], ['/2', 2], ['/3', 3], ['/4', 4]])
  })

  it('reads the requests behind one whose next throws, which is uncaught', async () => {
    const calls = []
    const parser = json(SMALL)
    const talk = await connect((req, res) => parser(req, res, () => {
      calls.push(req.url)
      if (req.url === '/1' || req.url === '/2') throw new Error(req.url)
      res.end()
    }))
    await noteUncaught(({ message }) => calls.push(`uncaught ${message}`), async () => {
      const gets = ['/1', '/2', '/3', '/4'].map((path) => serializeRequest({ method: 'GET', path }))
      talk.write(Buffer.concat([requestOf(`[${'1,'.repeat(9000)}1]`), ...gets]))
      for (let left = 1000; left > 0 && calls.length < 7; left--) await delay(1)
    })
    assert.deepEqual(calls, ['/', '/1', 'uncaught /1', '/2', 'uncaught /2', '/3', '/4'])
  })

  it('lets verify give the request to another parser with the option, which skips it', async () => {
    const inner = json(TINY)
    const outcomes = []
    const verify = async (req, res) => { outcomes.push(await inner.read(req, res)) }
    const talk = await connect(handlerOf(json({ ...TINY, verify }), outcomes))
    talk.write(requestOf(`[${' '.repeat(200_000)}]`))
    await talk.until(() => talk.answers === 1, HANG_TIME)
    assert.deepEqual(outcomes, [undefined, 0])
  })

  it('throws what next throws for a body of another type, as it does without the option', () => {
    const req = { headers: { 'content-type': 'text/plain', 'content-length': '1000000' }, httpVersionMajor: 1 }
    for (const options of [{}, { cooperative: true }]) {
      const next = mock.fn(() => { throw new Error('of next') })
      assert.throws(() => json(options)(req, {}, next), { message: 'of next' })
      assert.equal(next.mock.callCount(), 1)
    }
  })

  for (const [what, httpVersionMajor, headers, waits] of [
    ['is over the threshold', 1, { 'content-length': '11' }, true],
    ['is as long as the threshold', 1, { 'content-length': '10' }, false],
    ['is compressed', 1, { 'content-length': '5', 'content-encoding': 'gzip' }, true],
    ['has no declared length', 1, { 'transfer-encoding': 'chunked' }, true],
    ['is over the threshold, in HTTP/2', 2, { 'content-length': '11' }, false]
  ]) {
    it(`${waits ? 'does not read' : 'reads'} a request behind a body that ${what}`, () => {
      const parser = json(SMALL)
      const socket = { once () {}, readable: true }
      const [, behind] = [headers, { 'content-length': '2' }].map((fields) => {
        const req = Object.assign(new Readable({ read () {} }), {
          headers: { 'content-type': 'application/json', ...fields },
          httpVersionMajor,
          socket,
          stream: { once () {} }
        })
        parser(req, {}, () => {})
        return req
      })
      assert.equal(behind.listenerCount('data'), waits ? 0 : 1)
    })
  }

  it('serves thousands of small requests that are pipelined behind a large body', async () => {
    const count = 1000
    const outcomes = []
    const talk = await connect(handlerOf(json(SMALL), outcomes, () => 'ok'))
    const small = serializeRequest({ headers: { 'Content-Type': 'text/plain' }, body: Buffer.alloc(0), chunks: 1 })
    talk.write(Buffer.concat([requestOf(`[${'1,'.repeat(9000)}1]`), ...Array(count).fill(small)]))
    await until(() => outcomes.length === 1 + count)
    assert.deepEqual(new Set(outcomes), new Set(['ok']))
  })

  for (const [what, options, spoil] of [
    ['its verify never settles', { verify: () => new Promise(() => {}) }, () => {}],
    ['its listeners are removed', {}, (req) => req.removeAllListeners().resume()]
  ]) {
    it(`serves the next request of a connection after one that was answered without next, as ${what}`, async () => {
      const outcomes = []
      const first = json({ ...options, ...SMALL })
      const talk = await connect((req, res) => {
        first(req, res, () => outcomes.push('first'))
        spoil(req)
        setTimeout(() => res.end('early'), 50)
      })
      talk.write(requestOf(large))
      await talk.until(() => talk.answers === 1, HANG_TIME)
      server.handle = handlerOf(json(SMALL), outcomes)
      talk.write(requestOf(large))
      await talk.until(() => talk.answers === 2, HANG_TIME)
      assert.deepEqual(outcomes, [0])
    })
  }

  it('passes on what the type function throws, and reads the requests behind', async () => {
    const outcomes = []
    const type = ({ url }) => { if (url !== '/') throw new Error(url); return true }
    const talk = await connect(handlerOf(json({ ...SMALL, type }), outcomes))
    talk.write(Buffer.concat([requestOf(large, '/a'), requestOf(large), requestOf('[1]', '/b'), requestOf(large),
      requestOf(large, '/c'), requestOf(large)]))
    await talk.until(() => talk.answers === 6, HANG_TIME)
    assert.deepEqual(outcomes, ['/a', 0, '/b', 0, '/c', 0])
  })
})

describe('option cooperative with requests of one connection', () => {
  /** A request of a connection, which has not ended. */
  function openRequest (socket, length = large.length) {
    const headers = { 'content-type': 'application/json', 'content-length': `${length}` }
    return Object.assign(new Readable({ read () {} }), { headers, httpVersionMajor: 1, socket })
  }

  const connection = () => ({ once () {}, readable: true })
  const isRead = (req) => req.listenerCount('data') > 0

  it('reads a request that has no response, as a wrapper may make it, and leaves no listener on one', async () => {
    for (const res of [undefined, new EventEmitter()]) {
      const req = openRequest(connection())
      req.push(large)
      req.push(null)
      assert.deepEqual(await json(SMALL).read(req, res), [])
      assert.deepEqual(res?.eventNames() ?? [], [])
    }
  })

  it('does not read a request behind a large one, although one before that was answered first', async () => {
    let settle
    const begun = new Promise((resolve) => { settle = resolve })
    const verify = () => new Promise((resolve) => settle({ end: resolve }))
    const parser = json({ ...SMALL, verify })
    const socket = connection()
    const [first, second, third] = [openRequest(socket), openRequest(socket), openRequest(socket, 2)]
    const res = new EventEmitter()
    const done = new Promise((resolve) => parser(first, res, resolve))
    first.push(large)
    first.push(null)
    const { end } = await begun
    res.emit('close')
    parser(second, {}, () => {})
    end()
    await done
    parser(third, {}, () => {})
    assert.deepEqual([isRead(second), isRead(third)], [true, false])
  })

  it('does not read a request behind one that verify has given to another parser', async () => {
    const inner = json({ ...SMALL, type: 'a/b' })
    const socket = connection()
    const [first, second] = [openRequest(socket), openRequest(socket, 2)]
    const parser = await new Promise((resolve) => {
      const verify = (req, res) => {
        inner(req, res, () => resolve(parser))
        return new Promise(() => {})
      }
      const parser = json({ ...SMALL, verify })
      parser(first, {}, () => {})
      first.push(large)
      first.push(null)
    })
    parser(second, {}, () => {})
    assert.equal(isRead(second), false)
  })
})
