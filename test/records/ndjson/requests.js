'use strict'

// The requests that ndjson reads: what is refused before the loop, what ends it,
// and what is left of a connection afterwards.

const assert = require('node:assert/strict')
const { tracingChannel } = require('node:diagnostics_channel')
const { EventEmitter, once } = require('node:events')
const http = require('node:http')
const net = require('node:net')
const { Readable } = require('node:stream')
const { setTimeout: delay } = require('node:timers/promises')
const zlib = require('node:zlib')
const { createBudget, ndjson, refuseUnparsed } = require('../../../')
const { listen } = require('../../../tools/local-server')
const { createStorage } = require('../../support/async-storage')
const Clock = require('../../support/clock')
const { collect, loop, requestOf, shown, NDJSON, TYPES } = require('../../support/loop')
const schemaOf = require('../../support/schema-of')
const serving = require('../../support/serving')
const { tracing } = require('../../support/where')

const GZIP = { headers: { 'Content-Encoding': 'gzip' } }
const large = Buffer.alloc(2 ** 18, '[1234567]\n')
const never = () => new Promise(() => {})
const NEVER = schemaOf(never)

const serve = (handle, act) => serving(http.createServer(handle), act)

/** The status lines that a connection gets for what is written to it. */
async function converse (port, ...writes) {
  const socket = net.connect(port, '127.0.0.1').on('error', () => {})
  const closed = once(socket, 'close')
  let text = ''
  socket.on('data', (chunk) => { text += chunk })
  for (const bytes of writes) {
    socket.write(bytes)
    await delay(20)
  }
  socket.end()
  await closed
  return text.match(/HTTP\/1\.1 \d+|Connection: close/g)
}

const head = (length, path = '/') =>
  `POST ${path} HTTP/1.1\r\nHost: test\r\nContent-Type: ${NDJSON}\r\nContent-Length: ${length}\r\n\r\n`

describe('ndjson refuses before the loop', () => {
  // [what, options, body, message, error]
  const rows = [
    ['a charset', {}, '[]', { headers: { 'Content-Type': `${NDJSON}; charset=utf-16` } },
      { status: 415, type: 'charset.unsupported' }],
    ['a coding', {}, '[]', { headers: { 'Content-Encoding': 'x' } }, { status: 415, type: 'encoding.unsupported' }],
    ['a coding, with inflate: false', { inflate: false }, '[]', GZIP, { status: 415, type: 'encoding.unsupported' }],
    ['a declared length over that of a function', { limit: () => 1 }, '[]', {},
      { status: 413, type: 'entity.too.large', limit: 1 }]
  ]
  for (const [what, options, body, message, error] of rows) {
    it(what, async () => {
      const seen = await loop(ndjson(options), body, { ...message, handle: () => assert.fail('next without an error') })
      assert.deepEqual([shown(seen.error), seen.calls], [error, 1])
    })
  }

  it('nothing of another type', async () => {
    const seen = await loop(ndjson(), '[]',
      { headers: { 'Content-Type': 'application/json' }, handle: ({ body }) => [body] })
    assert.deepEqual([seen.handled, seen.calls], [[undefined], 1])
    const [parser, refuse] = [ndjson(), refuseUnparsed()]
    const refused = await loop((req, res, next) => parser(req, res, () => refuse(req, res, next)), '[]',
      { headers: { 'Content-Type': 'text/plain' } })
    assert.equal(refused.error.type, 'media.type.unsupported')
    assert.ok(refused.answer.includes(`Accept: ${TYPES.join(', ')}\r\n`), refused.answer)
    const taken = await loop((req, res, next) => parser(req, res, () => refuse(req, res, next)), '[]')
    assert.deepEqual([taken.error, taken.items], [undefined, [[]]]) // although nothing has read it yet
  })

  it('a request whose encoding is set, before it or before its loop begins', async () => {
    const parser = ndjson()
    const setBefore = await loop((req, res, next) => parser(req.setEncoding('utf8'), res, next), '[]')
    const setLater = await loop(parser, '[]', { handle: (req) => collect(req.setEncoding('utf8').body) })
    for (const { error } of [setBefore, setLater]) assert.equal(error.type, 'stream.encoding.set')
  })
})

describe('ndjson reads', () => {
  // [what, body, options, message, count, type]
  const rows = [
    ['a body in chunks', '[]\n[]', {}, { chunked: true }, 2],
    ['a large coded body', zlib.gzipSync(large), {}, GZIP, 2 ** 18 / 10, 'entity.parse.failed'],
    ['a coded body up to the limit', zlib.gzipSync(large), { limit: 2 ** 17 }, GZIP, undefined, 'entity.too.large'],
    ['a body in chunks up to the limit', ['[]\n', '[]\n', '[]\n'], { limit: 8 }, { chunked: true }, 2,
      'entity.too.large'],
    ['a coded body that is cut', zlib.gzipSync(large).subarray(0, -9), {}, GZIP, undefined, 'Z_BUF_ERROR'],
    ['a body that is cut', '[]\n[]\n[', {}, { cut: true }, 2, 'request.aborted'],
    ['a coded body whose client leaves', zlib.gzipSync(large).subarray(0, -9), {}, { ...GZIP, cut: true }, undefined,
      'request.aborted']
  ]
  for (const [what, body, options, message, count, type] of rows) {
    it(what, async () => {
      const { items, error, calls } = await loop(ndjson(options), body, message)
      if (count !== undefined) assert.equal(items.length, Math.floor(count))
      assert.deepEqual([error?.type ?? error?.code, calls], [type, 1])
    })
  }

  for (const type of TYPES) {
    it(`a body of ${type}`, async () => {
      const body = type === 'application/json-seq' ? '\x1e[]\n\x1e[]\n' : '[]\n[]'
      const { items, error } = await loop(ndjson(), body, { headers: { 'Content-Type': type } })
      assert.deepEqual([items, error], [[[], []], undefined])
    })
  }

  // [what, chunks, header, options]
  const streams = [
    ['a request without a Content-Type, if its type is a function', ['[1]\n[2]'], { 'content-type': undefined },
      { type: () => true }],
    ['a stream of strings', ['[1]\n', '[2]']],
    ['a stream of arrays of bytes', [new Uint8Array(Buffer.from('[1]\n[2')), Buffer.from(']')]]
  ]
  for (const [what, chunks, headers, options] of streams) {
    it(what, async () => {
      assert.deepEqual(await collect(await ndjson(options).read(requestOf(chunks, headers), {})), [[1], [2]])
    })
  }

  it('a request that flows already, whatever its response is, on which no listener is left', async () => {
    for (const res of [undefined, {}, new EventEmitter()]) {
      const req = requestOf(['[1]\n', '[2]']).on('data', () => {})
      await new Promise((resolve, reject) => ndjson()(req, res, (error) => error ? reject(error) : resolve()))
      const items = []
      for await (const item of req.body) items.push([item[0], res?.listenerCount?.('close') ?? 0])
      assert.deepEqual(items, [[1, 0], [2, 0]])
    }
  })

  it('nothing before the loop begins, and then a chunk at a time', async () => {
    const { handled } = await loop(ndjson(), Buffer.alloc(2 ** 22, '[1234567]\n'), {
      async handle (req) {
        await delay(50)
        const before = req.readableDidRead
        const iterator = req.body[Symbol.asyncIterator]()
        await iterator.next()
        await delay(50)
        const { bytesRead } = req.socket
        await iterator.return()
        return [before, bytesRead]
      }
    })
    assert.equal(handled[0], false)
    assert.ok(handled[1] < 2 ** 20, `${handled[1]} bytes`)
  })

  it('in the async context of the loop', async () => {
    const storage = createStorage()
    const schema = schemaOf(() => ({ value: storage.getStore() }))
    const { handled } = await loop(ndjson({ schema }), ['[]\n', '[]\n'], {
      handle: ({ body }) => storage.run('loop', async () => {
        const seen = []
        for await (const item of body) seen.push(item, storage.getStore())
        return seen
      })
    })
    assert.deepEqual(handled, ['loop', 'loop', 'loop', 'loop'])
  })
})

describe('a loop that ends early', () => {
  // [what, act, status]
  const ways = [
    ['by break', async (body) => {
      for await (const item of body) if (item) break
    }, 200],
    ['by an error of a record', async (body) => {
      for await (const item of body) assert.deepEqual(item, [1])
    }, 400],
    ['by break from batches', async (body) => {
      for await (const items of body.batches(1)) if (items) break
    }, 200]
  ]
  for (const [what, act, status] of ways) {
    const handle = (options) => {
      const parser = ndjson(options)
      return (req, res) => parser(req, res, async () => {
        try {
          await act(req.body)
        } catch (error) {
          res.statusCode = error.status
        }
        assert.equal(req.listenerCount('data'), 0)
        res.end('done')
      })
    }
    const text = '[1]\n1\n'

    it(`${what} reads off the rest, and the connection goes on`, () => serve(handle(), async (port) => {
      const next = head(text.length) + text
      assert.deepEqual(await converse(port, head(text.length + large.length) + text, large, next),
        [`HTTP/1.1 ${status}`, `HTTP/1.1 ${status}`])
    }))

    it(`${what} closes the connection for more than drainLimit`, () =>
      serve(handle({ drainLimit: 10 }), async (port) => {
        assert.deepEqual(await converse(port, head(large.length) + text, large.subarray(0, 1000)),
          [`HTTP/1.1 ${status}`, 'Connection: close'])
      }))
  }

  it('waits for no schema longer than timeout', async () => {
    const { error } = await loop(ndjson({ schema: NEVER, timeout: 50 }), '[]\n')
    assert.equal(error.type, 'request.timeout')
  })

  it('counts the time of the loop in timeout, but not in minRate', async () => {
    for (const [options, type] of [[{ timeout: 50 }, 'request.timeout'], [{ minRate: 2 ** 30 }, undefined]]) {
      const clock = new Clock()
      const parser = clock.load(() => require('../../../').ndjson(options))
      const handle = async ({ body }) => {
        for await (const record of body) if (record) clock.pass(6000)
      }
      const { error } = await loop(parser, large.subarray(0, -4), { handle })
      assert.equal(error?.type, type)
    }
  })

  it('is not begun if there is no body to set', async () => {
    const parser = ndjson()
    const body = { get () {}, set () { throw new Error('setter') } }
    const { error } = await loop((req, res, next) => parser(Object.defineProperty(req, 'body', body), res, next), '[]')
    assert.equal(error.message, 'setter')
  })

  // [what, act, type, message]
  const spoiled = [
    ['whose client has left', (req) => new Promise((resolve) => req.once('close', resolve)), 'request.aborted',
      { cut: true }],
    ['that other code has read', (req) => once(req.resume(), 'end'), 'stream.not.readable'],
    ['of which other code has read a part', async (req) => {
      req.resume()
      await delay(20)
      req.pause()
    }, 'stream.not.readable', { chunked: true }],
    ['that Node has discarded behind an answer', async (req, res) => {
      res.end()
      await delay(20)
    }, 'stream.not.readable', { chunked: true }]
  ]
  for (const [what, act, type, message] of spoiled) {
    it(`is not begun for a request ${what}`, async () => {
      const { error } = await loop(ndjson(), ['[1]\n', '[2]\n'], {
        ...message,
        async handle (req, res) {
          await act(req, res)
          for await (const item of req.body) assert.fail(item)
        }
      })
      assert.equal(error.type, type)
    })
  }
})

describe('a loop that has answered', () => {
  const parser = ndjson()

  /** Answers before the loop asks for the first record, or when it has got it. */
  async function answerAndRead (req, res, isFirst, seen) {
    const iterator = req.body[Symbol.asyncIterator]()
    const next = iterator.next()
    if (!isFirst) await next
    res.statusCode = 202
    res.end()
    for (let result = await next; !result.done; result = await iterator.next()) {
      seen.count++
      if (seen.count === 1) await seen.pause
    }
  }

  /** What the loop of one request throws. */
  async function outcomeOf (isFirst, act) {
    const seen = { count: 0, pause: undefined }
    const server = http.createServer()
    const looped = new Promise((resolve) => server.on('request', (req, res) => parser(req, res, () => {
      Object.assign(seen, { req, socket: req.socket })
      answerAndRead(req, res, isFirst, seen).then(() => resolve(null), resolve)
    })))
    await act(await listen(server), seen)
    const error = await looped
    server.close()
    return { error, ...seen }
  }

  const whole = '[1]\n[2]\n'
  const coded = zlib.gzipSync(whole)
  // [when the loop asks for the first record, how the client leaves, coding, what it has sent]
  const rows = [
    ['before the first record', 'end', 'identity', `${whole}[3`],
    ['after it', 'destroy', 'identity', `${whole}[3`],
    ['after it', 'resetAndDestroy', 'gzip', Buffer.concat([coded, coded.subarray(0, 12)])]
  ]
  for (const [when, leave, coding, part] of rows) {
    it(`${when} throws request.aborted if the client leaves by ${leave} in a body in ${coding}`, async () => {
      const isFirst = when.startsWith('before')
      const { error, count, req } = await outcomeOf(isFirst, async (port) => {
        const client = net.connect(port, '127.0.0.1').on('error', () => {})
        client.write(`${head(10_000).trimEnd()}\r\nContent-Encoding: ${coding}\r\n\r\n`)
        client.write(part)
        await once(client, 'data')
        client.resume()[leave]()
      })
      assert.equal(error?.type, 'request.aborted')
      if (leave === 'end') assert.equal(count, 2)
      for (const name of ['data', 'aborted', 'close', 'error']) assert.equal(req.listenerCount(name), 0, name)
    })
  }

  it('throws if Node has discarded a part of the body, as it does behind an answer', async () => {
    const { error } = await outcomeOf(false, async (port, seen) => {
      const client = net.connect(port, '127.0.0.1').on('error', () => {})
      client.write(`POST / HTTP/1.1\r\nHost: a\r\nContent-Type: ${NDJSON}\r\nTransfer-Encoding: chunked\r\n\r\n`)
      client.write('4\r\n[1]\n\r\n')
      await once(client, 'data')
      seen.req._dumped = true // by Node, if nobody had read before; what had arrived is lost then
      client.end('0\r\n\r\n')
    })
    assert.equal(error?.type, 'stream.not.readable')
  })

  it('reads a body that has arrived whole, although the client then leaves', async () => {
    const { error, count } = await outcomeOf(false, async (port, seen) => {
      const client = net.connect(port, '127.0.0.1')
      const pieces = Array(200).fill('[1234567]\n')
      client.write(head(2000))
      let goOn
      seen.pause = new Promise((resolve) => { goOn = resolve })
      client.write(pieces.slice(0, 100).join(''))
      await once(client, 'data')
      client.write(pieces.slice(100).join('')) // while the loop pauses
      const closed = once(seen.socket, 'close')
      client.resume().end()
      await closed
      goOn()
    })
    assert.deepEqual([error, count], [null, 200])
  })

  const listenFirst = (req, goOn) => {
    req.on('data', () => {})
    setTimeout(goOn, 5)
  }
  const putBack = (req, goOn) => req.once('readable', () => {
    req.unshift(req.read())
    goOn()
  })
  for (const [what, act, writes] of [
    ['other code reads, and its body arrives in part before', listenFirst,
      [`${head(2 * large.length)}${large}`, `${large}${head(0, '/next')}`]],
    ['other code has put back what it has read', putBack, [`${head(large.length)}${large}${head(0, '/next')}`]]
  ]) {
    it(`serves the next request of a connection if no loop begins, and ${what}`, async () => {
      const handle = (req, res) => {
        if (req.url === '/next') return res.writeHead(200).end()
        act(req, () => ndjson()(req, res, () => res.writeHead(401).end()))
      }
      const lines = await serve(handle, (port) => converse(port, ...writes))
      assert.deepEqual(lines, ['HTTP/1.1 401', 'HTTP/1.1 200'])
    })
  }

  it('throws request.aborted if the client leaves after listeners of the request were removed', async () => {
    const { error } = await outcomeOf(true, async (port, seen) => {
      const client = net.connect(port, '127.0.0.1').on('error', () => {})
      client.write(`${head(whole.length)}[1]\n`)
      await once(client, 'data')
      seen.req.removeAllListeners()
      client.end('[2]\n')
    })
    assert.equal(error?.type, 'request.aborted')
  })
})

describe('ndjson and the guards', () => {
  describe('for a body that other code has read before', () => {
    /** Asks for the first record, which waits for the schema. */
    async function readFirst (options, socket) {
      const req = { headers: { 'content-type': NDJSON, 'content-length': '7' }, body: '[1]\n[2]', socket }
      const records = await ndjson({ buffered: true, schema: NEVER, ...options }).read(req, {})
      return records[Symbol.asyncIterator]().next()
    }

    it('wait for no schema longer than timeout', async () => {
      await assert.rejects(readFirst({ timeout: 50 }), { status: 408, type: 'request.timeout', received: 0 })
    })

    it('wait for no schema once the client has left', async () => {
      const socket = new EventEmitter()
      setTimeout(() => socket.emit('close'), 20)
      await assert.rejects(readFirst({}, socket), { status: 400, type: 'request.aborted' })
    })

    it('leave no timer behind, which would keep a process alive', async () => {
      const countTimers = () => process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length
      await delay(1) // mocha's own timer begins behind the first promise
      const before = countTimers()
      const req = { headers: { 'content-type': NDJSON, 'content-length': '7' }, body: '[1]\n[2]' }
      const counts = []
      for await (const item of await ndjson({ buffered: true, timeout: 60_000 }).read(req, {})) {
        counts.push([item[0], countTimers() - before])
      }
      assert.deepEqual([counts, countTimers() - before], [[[1, 1], [2, 1]], 0])
    })
  })

  it('holds in a budget what the loop has not read', async () => {
    const budget = createBudget({ bytes: large.length })
    const { handled, error } = await loop(ndjson({ budget }), large.subarray(0, -4), {
      async handle ({ body }) {
        let most = 0
        for await (const item of body) {
          assert.ok(item)
          most = Math.max(most, budget.used)
        }
        return most
      }
    })
    assert.equal(error, undefined)
    assert.ok(handled > 1000 && handled < large.length / 2, `${handled} bytes`)
    assert.equal(budget.used, 0)
  })

  it('refuses a record that outgrows a budget while it is put together, and gives back what it held', async () => {
    const budget = createBudget({ bytes: 100 * 1024 })
    const record = Buffer.from(JSON.stringify(['x'.repeat(90 * 1024)]))
    const pieces = Array.from({ length: 10 }, (_, index) => record.subarray(index * 10_000, (index + 1) * 10_000))
    const req = requestOf([...pieces, '\n[1]\n', '[2]\n'])
    await assert.rejects(collect(await ndjson({ budget }).read(req, {})), { status: 503, type: 'budget.exceeded' })
    assert.equal(budget.used, 0)
  })

  it('ends a client that sends a byte now and then while a budget is used up', async () => {
    const budget = createBudget({ bytes: 1000 })
    const headers = { 'content-type': NDJSON, 'transfer-encoding': 'chunked' }
    const req = Object.assign(new Readable({ read () {} }), { headers })
    const first = (await ndjson({ budget }).read(req, {}))[Symbol.asyncIterator]().next()
    req.push(`["${'x'.repeat(100)}`)
    while (budget.used === 0) await delay(1)
    budget.watchStalled()
    req.push('x')
    await delay(5)
    budget.failStalled()
    await assert.rejects(first, { status: 408, type: 'request.timeout', received: 103 })
    assert.equal(budget.used, 0)
  })
})

describe('ndjson is seen', () => {
  const channel = tracingChannel('fast-body-parser')
  const FAILED = ['error', 'asyncStart']
  const breakOff = async ({ body }) => { for await (const item of body) if (item) break }

  /** What subscribers get: [event, parser, lane, bytesIn, bytesDecoded, type of the error]. */
  async function trace (act) {
    const seen = []
    const add = (event) => ({ parser, lane, bytesIn, bytesDecoded, error }) => {
      seen.push([event, parser, lane, bytesIn, bytesDecoded, error?.type])
    }
    const subscribers = { asyncStart: add('asyncStart'), error: add('error') }
    channel.subscribe(subscribers)
    try {
      await act()
    } finally {
      channel.unsubscribe(subscribers)
    }
    return seen
  }

  const coded = zlib.gzipSync('[]\n[]')
  // [what, options, body, message, events, what they tell]
  const rows = [
    ['a loop', {}, '[]\n[]', {}, ['asyncStart'], ['identity', 5, 5, undefined]],
    ['a loop over a coded body', {}, coded, GZIP, ['asyncStart'], ['stream', coded.length, 5, undefined]],
    ['a refusal before the loop', { limit: 1 }, '[]', {}, FAILED, ['none', 0, 0, 'entity.too.large']],
    ['break', {}, '[]\n[]', { handle: breakOff }, FAILED, ['identity', 5, 0, 'records.abandoned']],
    ['no loop', {}, '[]', { handle () {} }, []]
  ]
  for (const [what, options, body, message, events, told] of rows) {
    tracing.it(`by the tracing channel: ${what}`, async () => {
      const seen = await trace(() => loop(ndjson(options), body, message))
      assert.deepEqual(seen, events.map((event) => [event, 'ndjson', ...told]))
    })
  }

  tracing.it('by the tracing channel: a body that other code has read before', async () => {
    const req = { headers: { 'content-type': NDJSON, 'content-length': '2' }, body: '[]' }
    assert.deepEqual(await trace(() => ndjson({ buffered: true }).read(req, {})),
      [['asyncStart', 'ndjson', 'buffered', 2, 2, undefined]])
  })

  it('does not wait for a schema once the request has failed', async () => {
    let count = 0
    const schema = schemaOf((value) => ++count < 3 ? { value } : never())
    const items = []
    const { error } = await loop(ndjson({ schema }), '[1]\n[2]\n[3]\n[4', {
      cut: true,
      async handle (req) {
        for await (const item of req.body) {
          items.push(item)
          while (!req.aborted) await delay(1)
        }
      }
    })
    assert.deepEqual([items, error.type], [[[1], [2]], 'request.aborted'])
  })
})
