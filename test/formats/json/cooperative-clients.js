'use strict'

// Option `cooperative`, with clients that leave, pipeline, or send bodies that
// take long to parse.

const assert = require('node:assert/strict')
const { EventEmitter, once } = require('node:events')
const http = require('node:http')
const net = require('node:net')
const { mock } = require('node:test')
const { Readable } = require('node:stream')
const { setTimeout: delay } = require('node:timers/promises')
const { json } = require('fast-body-parser')
const { serializeRequest } = require('../../../tools/http-message')
const { listen, stop } = require('../../../tools/local-server')
const { noteUncaught } = require('../../support/uncaught')

const LIMIT = '8mb'
const slow = Buffer.from(`[${'[1,'.repeat(2 ** 19)}`) // takes seconds in slices of this length
const TINY = { cooperative: { slice: 1e-9, threshold: '100kb' }, limit: LIMIT }

const messageOf = (body) => serializeRequest({ headers: { 'Content-Type': 'application/json' }, body })

/** A server that counts requests, and calls of `next` with their errors. */
async function serve (options) {
  const parser = json(options)
  const seen = { requests: 0, nexts: [], server: null }
  const changed = () => seen.onChange?.()
  seen.server = http.createServer((req, res) => {
    seen.requests++
    parser(req, res, (error) => {
      seen.nexts.push(error?.type ?? 'ok')
      res.end(error === undefined ? 'ok' : error.type)
      changed()
    })
    changed()
  })
  seen.until = (isDone) => new Promise((resolve) => {
    seen.onChange = () => { if (isDone(seen)) resolve() }
    seen.onChange()
  })
  await listen(seen.server)
  return seen
}

function connect (server) {
  return net.connect(server.address().port, '127.0.0.1').on('error', () => {})
}

describe('option cooperative with many clients', () => {
  let seen

  async function open (handle) {
    seen = { server: http.createServer(handle) }
    await listen(seen.server)
  }

  afterEach(() => stop(seen.server))

  it('calls next at once for clients that leave, whether their bodies are being parsed or wait', async () => {
    seen = await serve(TINY)
    const sockets = Array.from({ length: 6 }, () => connect(seen.server))
    for (const socket of sockets) socket.write(messageOf(slow))
    await seen.until(({ requests }) => requests === 6)
    await new Promise((resolve) => setTimeout(resolve, 100)) // the bodies arrive
    assert.deepEqual(seen.nexts, [])
    for (const socket of sockets) socket.destroy()
    await seen.until(({ nexts }) => nexts.length === 6)
    assert.deepEqual(new Set(seen.nexts), new Set(['request.aborted']))
  })

  it('does not read a request that is pipelined behind a body that is being parsed', async () => {
    seen = await serve(TINY)
    const socket = connect(seen.server)
    for (let left = 4; left > 0; left--) socket.write(messageOf(slow))
    await seen.until(({ requests }) => requests >= 2)
    await new Promise((resolve) => setTimeout(resolve, 100))
    assert.ok(seen.requests <= 2, `${seen.requests} requests are being read`)
    socket.destroy()
    await seen.until(({ nexts }) => nexts.length >= 1)
  })

  it('answers pipelined requests in their order, with their bodies', async () => {
    const bodies = []
    const parser = json({ cooperative: { threshold: 10 } })
    await open((req, res) => parser(req, res, () => {
      bodies.push(req.body.at(-1))
      res.end(`${req.body.at(-1)};`)
    }))
    const socket = connect(seen.server)
    let text = ''
    socket.on('data', (chunk) => { text += chunk })
    socket.write(Buffer.concat(Array.from({ length: 5 },
      (_, i) => messageOf(Buffer.from(i % 2 === 0 ? `[${'1,'.repeat(9000)}${i}]` : `[${i}]`)))))
    while (!text.includes('4;')) await once(socket, 'data')
    assert.deepEqual(bodies, [0, 1, 2, 3, 4])
    assert.deepEqual(text.match(/\d;/g), ['0;', '1;', '2;', '3;', '4;'])
  })

  it('reads the requests behind one whose next throws, which is uncaught', async () => {
    const calls = []
    const parser = json({ cooperative: { threshold: 10 } })
    await open((req, res) => parser(req, res, () => {
      calls.push(req.url)
      if (req.url === '/1' || req.url === '/2') throw new Error(req.url)
      res.end()
    }))
    await noteUncaught(({ message }) => calls.push(`uncaught ${message}`), async () => {
      const gets = ['/1', '/2', '/3', '/4'].map((url) => Buffer.from(`GET ${url} HTTP/1.1\r\nHost: test\r\n\r\n`))
      connect(seen.server).resume().write(Buffer.concat([messageOf(Buffer.from(`[${'1,'.repeat(9000)}1]`)), ...gets]))
      for (let left = 1000; left > 0 && calls.length < 7; left--) await delay(1)
    })
    assert.deepEqual(calls, ['/', '/1', 'uncaught /1', '/2', 'uncaught /2', '/3', '/4'])
  })

  it('lets verify give the request to another parser with the option, which skips it', async () => {
    const inner = json(TINY)
    seen = await serve({ ...TINY, verify: async (req, res) => { seen.inner = await inner.read(req, res) } })
    const socket = connect(seen.server)
    socket.write(messageOf(Buffer.from(`[${' '.repeat(200_000)}]`)))
    await seen.until(() => seen.nexts.length > 0)
    assert.deepEqual([seen.nexts, seen.inner], [['ok'], undefined])
    socket.destroy()
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
      const parser = json({ cooperative: { threshold: 10 } })
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
    const [large, count] = [Buffer.from(`[${'1,'.repeat(2 ** 17)}1]`), 2000]
    seen = await serve({ cooperative: true, limit: LIMIT })
    const socket = connect(seen.server).resume()
    const small = 'POST / HTTP/1.1\r\nHost: test\r\nContent-Type: text/plain\r\n' +
      'Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n'
    socket.write(Buffer.concat([messageOf(large), Buffer.from(small.repeat(count))]))
    await seen.until(({ nexts }) => nexts.length === 1 + count)
    assert.deepEqual(new Set(seen.nexts), new Set(['ok']))
  })

  for (const [what, options, spoil] of [
    ['its verify never settles', { verify: () => new Promise(() => {}) }, () => {}],
    ['its listeners are removed', {}, (req) => req.removeAllListeners().resume()]
  ]) {
    it(`serves the next request of a connection after one that was answered without next, as ${what}`, async () => {
      const parsers = [json({ ...options, cooperative: { threshold: 10 } }), json({ cooperative: { threshold: 10 } })]
      const outcomes = []
      await open((req, res) => {
        const isFirst = parsers.length === 2
        parsers.shift()(req, res, (error) => {
          outcomes.push(error?.type ?? req.body.length)
          if (!res.headersSent) res.end('read')
        })
        if (!isFirst) return
        spoil(req)
        setTimeout(() => res.end('early'), 50)
      })
      const socket = connect(seen.server)
      let text = ''
      socket.on('data', (chunk) => { text += chunk })
      const message = messageOf(Buffer.from(`[${'1,'.repeat(20)}1]`))
      socket.write(message)
      while (!text.endsWith('early')) await once(socket, 'data')
      socket.write(message)
      while (!text.endsWith('read')) await once(socket, 'data')
      assert.deepEqual(outcomes, [21])
    })
  }

  it('passes on what the type function throws, and reads the requests behind', async () => {
    const outcomes = []
    const parser = json({
      cooperative: { threshold: 10 },
      type: ({ url }) => { if (url !== '/') throw new Error(url); return true }
    })
    await open((req, res) => parser(req, res, (error) => {
      outcomes.push(error?.message ?? req.body.length)
      res.end(';')
    }))
    const socket = connect(seen.server)
    let text = ''
    socket.on('data', (chunk) => { text += chunk })
    const large = messageOf(Buffer.from(`[${'1,'.repeat(20)}1]`))
    const thrown = (message, url) => Buffer.from(String(message).replace('/', url))
    socket.write(Buffer.concat([
      thrown(large, '/a'), large, thrown(messageOf(Buffer.from('[1]')), '/b'), large, thrown(large, '/c'), large
    ]))
    while (text.split(';').length <= 6) await once(socket, 'data')
    assert.deepEqual(outcomes, ['/a', 21, '/b', 21, '/c', 21])
  })
})

describe('option cooperative with requests of one connection', () => {
  const large = Buffer.from(`[${' '.repeat(20)}]`)

  /** A request of a connection, which has not ended. */
  function requestOf (socket, length = large.length) {
    const headers = { 'content-type': 'application/json', 'content-length': `${length}` }
    return Object.assign(new Readable({ read () {} }), { headers, httpVersionMajor: 1, socket })
  }

  const connection = () => ({ once () {}, readable: true })
  const isRead = (req) => req.listenerCount('data') > 0

  it('reads a request that has no response, as a wrapper may make it, and leaves no listener on one', async () => {
    for (const res of [undefined, new EventEmitter()]) {
      const req = requestOf(connection())
      req.push(large)
      req.push(null)
      assert.deepEqual(await json({ cooperative: { threshold: 10 } }).read(req, res), [])
      assert.deepEqual(res?.eventNames() ?? [], [])
    }
  })

  it('does not read a request behind a large one, although one before that was answered first', async () => {
    let settle
    const begun = new Promise((resolve) => { settle = resolve })
    const verify = () => new Promise((resolve) => settle({ end: resolve }))
    const parser = json({ cooperative: { threshold: 10 }, verify })
    const socket = connection()
    const [first, second, third] = [requestOf(socket), requestOf(socket), requestOf(socket, 2)]
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
    const inner = json({ cooperative: { threshold: 10 }, type: 'a/b' })
    let give
    const given = new Promise((resolve) => { give = resolve })
    const verify = (req, res) => {
      inner(req, res, give)
      return new Promise(() => {})
    }
    const parser = json({ cooperative: { threshold: 10 }, verify })
    const socket = connection()
    const [first, second] = [requestOf(socket), requestOf(socket, 2)]
    parser(first, {}, () => {})
    first.push(large)
    first.push(null)
    await given
    parser(second, {}, () => {})
    assert.equal(isRead(second), false)
  })
})
