'use strict'

const assert = require('node:assert/strict')
const { once } = require('node:events')
const http = require('node:http')
const net = require('node:net')
const { mock } = require('node:test')
const { setTimeout: delay } = require('node:timers/promises')
const zlib = require('node:zlib')
const { createBudget, json, multipart, ndjson, raw, text } = require('fast-body-parser')
const multer = require('fast-body-parser/multer')
const waits = require('../../../lib/core/lifetime/waits')
const loadAgain = require('../../support/load-again')
const { noteUncaught } = require('../../support/uncaught')

const BODY = JSON.stringify(['x'.repeat(100_000)])
const HEAD = `POST / HTTP/1.1\r\nHost: test\r\nContent-Type: application/json\r\nContent-Length: ${BODY.length}\r\n\r\n`

/** The module, with another timer. */
function loadWith (setTimeout) {
  const replaced = ['core/platform', 'core/lifetime/timer'].map((name) => require.resolve(`../../../lib/${name}`))
  const cached = replaced.map((path) => require.cache[path])
  const original = globalThis.setTimeout
  globalThis.setTimeout = setTimeout
  for (const path of replaced) delete require.cache[path]
  try {
    return loadAgain(require.resolve('../../../lib/core/lifetime/budget'))
  } finally {
    globalThis.setTimeout = original
    replaced.forEach((path, i) => { require.cache[path] = cached[i] })
  }
}

describe('option budget', () => {
  let server
  let calls

  afterEach(() => {
    server.close()
    server.closeAllConnections()
  })

  async function serve (...parsers) {
    calls = []
    server = http.createServer((req, res) => {
      let index = 0
      const next = (error) => {
        if (error === undefined && index < parsers.length) return parsers[index++](req, res, next)
        calls.push(error?.type ?? 'ok')
        res.writeHead(error?.status ?? 200, error?.headers)
        res.end(error?.type ?? 'ok')
      }
      next()
    })
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
  }

  const post = (body = BODY, headers = { 'content-type': 'application/json' }) =>
    fetch(`http://127.0.0.1:${server.address().port}`, { method: 'POST', headers, body })

  /** Sends all but the end of a body. */
  async function hold (budget) {
    const before = budget.used
    const socket = net.connect(server.address().port, '127.0.0.1')
    socket.write(HEAD + BODY.slice(0, -1))
    while (budget.used < before + BODY.length - 1) await delay(1)
    return socket
  }

  it('lets bodies within it pass, counts what they hold, and ends at 0', async () => {
    const budget = createBudget({ bytes: '1mb' })
    const held = []
    await serve(json({ limit: '1mb', budget, timeout: 60_000, verify: () => { held.push(budget.used) } }))
    assert.equal(await (await post()).text(), 'ok')
    assert.deepEqual(held, [BODY.length])
    assert.equal(budget.used, 0)
    assert.equal(budget.bytes, 1024 * 1024)
  })

  it('answers 503 budget.exceeded with Retry-After over it, and keeps the connection', async () => {
    const budget = createBudget({ bytes: BODY.length + 10 })
    await serve(json({ limit: '1mb', budget }))
    const holder = await hold(budget)
    const res = await post()
    assert.deepEqual([res.status, await res.text(), res.headers.get('retry-after'), res.headers.get('connection')],
      [503, 'budget.exceeded', '1', 'keep-alive'])
    holder.write(BODY.slice(-1))
    await once(holder, 'data')
    assert.equal((await post()).status, 200)
    assert.equal(budget.used, 0)
    holder.destroy()
  })

  it('is shared by parsers', async () => {
    const budget = createBudget({ bytes: BODY.length + 10 })
    await serve(json({ limit: '1mb', budget }), text({ budget }), raw({ budget }))
    const holder = await hold(budget)
    for (const type of ['text/plain', 'application/octet-stream']) {
      assert.equal((await post('a body of text', { 'content-type': type })).status, 503)
    }
    holder.destroy()
    while (budget.used > 0) await delay(1)
    assert.equal((await post('text', { 'content-type': 'text/plain' })).status, 200)
  })

  it('pauses a request over it until there is room', async () => {
    const budget = createBudget({ bytes: BODY.length + 10, wait: 5000 })
    await serve(json({ limit: '1mb', budget }))
    const holder = await hold(budget)
    const waiting = post()
    while (budget.waiting.size === 0) await delay(1)
    assert.deepEqual(calls, [])
    holder.write(BODY.slice(-1))
    assert.equal((await waiting).status, 200)
    assert.deepEqual(calls, ['ok', 'ok'])
    assert.deepEqual([budget.used, budget.waiting.size], [0, 0])
    holder.destroy()
  })

  it('answers 503 at once when those that wait hold as much as the budget', async () => {
    const budget = createBudget({ bytes: BODY.length + 10, wait: 60_000 })
    await serve(json({ limit: '1mb', budget }))
    const holder = await hold(budget)
    const bodies = Array.from({ length: 10 }, () => post())
    const refused = await Promise.any(bodies)
    assert.deepEqual([refused.status, await refused.text()], [503, 'budget.exceeded'])
    assert.ok(budget.waiting.size > 0)
    holder.write(BODY.slice(-1))
    const statuses = (await Promise.all(bodies)).map(({ status }) => status)
    assert.deepEqual([...new Set(statuses)].sort(), [200, 503])
    assert.deepEqual([budget.used, budget.waiting.size], [0, 0])
    holder.destroy()
  })

  it('answers 503 when there is no room in time', async () => {
    const budget = createBudget({ bytes: BODY.length + 10, wait: 1200 })
    await serve(json({ limit: '1mb', budget, timeout: 60_000 }))
    const holder = await hold(budget)
    const res = await post()
    assert.deepEqual([res.status, res.headers.get('retry-after')], [503, '2'])
    holder.destroy()
    while (budget.used > 0) await delay(1)
    assert.equal(budget.waiting.size, 0)
  })

  describe('for a body that has arrived before its parser is called', () => {
    const later = (req, res, next) => setTimeout(next, 20)

    it('answers 503 over it', async () => {
      await serve(later, json({ limit: '1mb', budget: createBudget({ bytes: 1000 }) }))
      assert.equal((await post()).status, 503)
      assert.equal((await post('[1]')).status, 200)
    })

    it('does not have it wait, in however many packets it came', async () => {
      const budget = createBudget({ bytes: BODY.length + 10, wait: 1000 })
      let count = 0
      const whenWhole = async (req, res, next) => {
        if (count++ > 0) while (!req.complete) await delay(1)
        next()
      }
      await serve(whenWhole, json({ limit: '1mb', budget }))
      const holder = await hold(budget)
      const socket = net.connect(server.address().port, '127.0.0.1')
      socket.write(HEAD.replace(BODY.length, 30) + '["more than there '.padEnd(20))
      await delay(50)
      socket.write('is room"]'.padEnd(10))
      assert.match(String(await once(socket, 'data')), /^HTTP\/1\.1 200 /)
      assert.equal(budget.used, BODY.length - 1)
      for (const connection of [holder, socket]) connection.destroy()
    })

    it('lets the others hold as much as the first one may, and no more, as they cannot wait', async () => {
      const budget = createBudget({ bytes: 20_000, wait: 60_000 })
      const held = []
      await serve(later, json({ budget, verify: async () => { held.push(budget.used); await delay(20) } }))
      const statuses = (await Promise.all(Array.from({ length: 20 },
        () => post(JSON.stringify(['x'.repeat(5000)]))))).map(({ status }) => status)
      assert.deepEqual([...new Set(statuses)].sort(), [200, 503])
      assert.ok(held.length >= 4 && Math.max(...held) <= 40_000, `${held}`)
      assert.deepEqual([budget.used, budget.waiting.size, budget.holding.size], [0, 0, 0])
    })
  })

  it('counts what is decoded in one call, beside the coded bytes', async () => {
    const body = zlib.gzipSync(JSON.stringify(['x'.repeat(50_000)]))
    const headers = { 'content-type': 'application/json', 'content-encoding': 'gzip' }
    const length = 50_004 + body.length
    for (const [bytes, status] of [[length, 200], [length - 1, 503]]) {
      const budget = createBudget({ bytes })
      const held = []
      await serve(json({ budget, verify: () => { held.push(budget.used) } }))
      assert.equal((await post(body, headers)).status, status)
      assert.deepEqual([held, budget.used], [status === 200 ? [length] : [], 0])
      server.close()
    }
  })

  it('counts decoded bytes as they are decoded', async () => {
    const budget = createBudget({ bytes: 300_000 })
    await serve(json({ limit: '5mb', budget }))
    const bomb = zlib.gzipSync(Buffer.alloc(3_000_000, ' '))
    const res = await post(bomb, { 'content-type': 'application/json', 'content-encoding': 'gzip' })
    assert.equal(res.status, 503)
    assert.equal(budget.used, 0)
  })

  it('is released by clients that leave, and by bodies over the limit', async () => {
    const budget = createBudget({ bytes: '10mb' })
    await serve(json({ limit: '150kb', budget }))
    const holder = await hold(budget)
    holder.destroy()
    while (budget.used > 0) await delay(1)
    assert.equal((await post(JSON.stringify(['x'.repeat(400_000)]))).status, 413)
    assert.equal(budget.used, 0)
  })

  it('is released by a client that leaves after the app has answered, of which Node tells the request nothing', async () => {
    const budget = createBudget({ bytes: '1mb' })
    server = http.createServer((req, res) => {
      json({ limit: '1mb', budget })(req, res, () => calls.push('next'))
      res.end('early')
    })
    calls = []
    await once(server.listen(0, '127.0.0.1'), 'listening')
    const holder = await hold(budget)
    holder.destroy()
    while (budget.used > 0) await delay(1)
    assert.deepEqual(calls, ['next'])
  })

  const FORM = `--b\r\nContent-Disposition: form-data; name="f"; filename="x"\r\n\r\n${BODY}\r\n--b--`
  const FORM_TYPE = 'multipart/form-data; boundary=b'
  const readRecords = (options) => {
    const parser = ndjson(options)
    const loop = async (req) => { for await (const record of req.body) assert(record) }
    return (req, res, next) => parser(req, res, () => loop(req).then(() => next(), next))
  }
  const others = {
    json: [json, 'application/json', BODY],
    'cooperative json': [(options) => json({ ...options, cooperative: true }), 'application/json', BODY],
    'a loop over records': [readRecords, 'application/x-ndjson', BODY],
    multipart: [multipart, FORM_TYPE, FORM],
    'the drop-in for multer': [(options) => multer(options).any(), FORM_TYPE, FORM]
  }
  for (const [name, [create, type, body]] of Object.entries(others)) {
    it(`is not held by bytes that come after another listener has ended the request: ${name}`, async () => {
      const budget = createBudget({ bytes: '10mb' })
      const limit = name === 'the drop-in for multer' ? {} : { limit: '1mb' }
      const parser = create({ ...limit, budget, drainLimit: 0 })
      await serve((req, res, next) => {
        req.on('data', () => req.headers.destroy ? req.destroy() : req.emit('aborted'))
        parser(req, res, next)
      })
      const send = (i) => post(body, { 'content-type': type, ...i % 2 ? { destroy: 'yes' } : {} }).catch(() => {})
      await Promise.all(Array.from({ length: 10 }, (_, i) => send(i)))
      while (calls.length < 10) await delay(1)
      assert.deepEqual([budget.used, calls.filter((type) => type !== 'request.aborted')], [0, []])
    })
  }

  describe('throws a TypeError', () => {
    before(async () => serve())

    for (const options of [
      undefined, {}, { bytes: 0 }, { bytes: -1 }, { bytes: NaN }, { bytes: true }, { bytes: 'x' }
    ]) {
      it(`for createBudget(${JSON.stringify(options)})`, () =>
        assert.throws(() => createBudget(options), { name: 'TypeError', message: /^option bytes / }))
    }
    for (const wait of [-1, NaN, '1', Infinity, 2 ** 31]) {
      it(`for a wait of ${typeof wait} ${wait}`, () => assert.throws(() => createBudget({ bytes: 1, wait }),
        { name: 'TypeError', message: 'option wait must be zero or a positive number of milliseconds' }))
    }
    for (const budget of [1, {}, '1mb', true]) {
      it(`for option budget ${JSON.stringify(budget)}`, () => assert.throws(() => json({ budget }),
        { name: 'TypeError', message: 'option budget must be made by createBudget()' }))
    }
  })

  it('takes a wait of zero, which is that by default', () => {
    for (const options of [{}, { wait: 0 }]) assert.equal(createBudget({ bytes: 1, ...options }).wait, 0)
  })

  it('takes the longest time of a timer, and no more', () => {
    assert.equal(createBudget({ bytes: 1, wait: 2 ** 31 - 1 }).wait, 2 ** 31 - 1)
    assert.throws(() => createBudget({ bytes: 1, wait: 2 ** 31 }), TypeError)
  })

  describe('by itself', () => {
    let budget
    let first
    let second

    /** A budget of 10 bytes, with two bodies. */
    function begin (options) {
      budget = createBudget({ bytes: 10, ...options })
      first = join()
      second = join()
    }

    /** An exchange that notes what happens to it. */
    function join (hasDeadline = false) {
      const calls = []
      const exchange = {
        beginWait: () => waits.beginWait(exchange),
        endWait: () => waits.endWait(exchange),
        waits: 0,
        waited: 0,
        waitsSince: null,
        received: 5,
        awaitsBody: true,
        isFlowing: false,
        isWhole: false,
        holdBack: () => calls.push('pause'),
        resume: () => calls.push('resume'),
        abort: (error, mustClose) => calls.push([error, mustClose])
      }
      return { reservation: budget.reserve(exchange, hasDeadline), calls, exchange }
    }

    afterEach(() => {
      for (const { reservation } of [first, second]) reservation.release()
      assert.equal(budget.used, 0)
    })

    it('forgets a body of no bytes', () => {
      begin()
      first.reservation.hold(0)
      assert.equal(budget.holding.size, 1)
      first.reservation.release()
      assert.equal(budget.holding.size, 0)
    })

    it('ends no body whose client waits for the app', () => {
      begin()
      first.reservation.hold(6)
      assert.equal(second.reservation.hold(6).type, 'budget.exceeded')
      first.exchange.waitsSince = 1
      budget.look()
      Object.assign(first.exchange, { waited: 5000, waitsSince: null })
      budget.look()
      assert.deepEqual(first.calls, [])
      budget.look()
      assert.deepEqual(first.calls.map(([{ type }]) => type), ['request.timeout'])
    })

    for (const [isEnded, what, waited, received] of [
      [true, 'too little while it could, although it waited for a moment', 5, 5114],
      [false, 'enough while it could, of which a moment was missing', 5, 5115],
      [true, 'too little in the half of the time in which it could', 2500, 2559],
      [false, 'enough in the half of the time in which it could', 2500, 2560],
      [false, 'nothing, but had to wait for more than half of the time', 2501, 0]
    ]) {
      it(`${isEnded ? 'ends' : 'does not end'} a body whose client has sent ${what}`, () => {
        begin()
        first.reservation.hold(6)
        assert.equal(second.reservation.hold(6).type, 'budget.exceeded')
        first.exchange.received += received
        first.exchange.waited += waited
        budget.look()
        assert.deepEqual(first.calls.map(([{ type }]) => type), isEnded ? ['request.timeout'] : [])
      })
    }

    it('ends all bodies that have stalled, and goes on with its checks, although next throws for some', async () => {
      begin()
      const others = [join(), join(), join()]
      const all = [first, second, ...others]
      for (const { reservation } of all) reservation.hold(2)
      assert.equal(second.reservation.hold(1).type, 'budget.exceeded')
      const faults = [new Error('of the first'), new Error('of the third')]
      for (const [index, fault] of faults.entries()) {
        const { exchange } = all[index * 2]
        exchange.abort = mock.fn(() => { throw fault })
      }
      const thrown = []
      await noteUncaught((error) => thrown.push(error), async () => {
        budget.look()
        await delay(5)
      })
      assert.deepEqual(thrown, faults)
      assert.deepEqual([0, 2].map((index) => all[index].exchange.abort.mock.callCount()), [1, 1])
      for (const index of [1, 3, 4]) assert.deepEqual(all[index].calls.map(([{ type }]) => type), ['request.timeout'])
      assert.notEqual(budget.timer, null)
      for (const { reservation } of others) reservation.release()
    })

    it('tells how long a body has waited for room, and does not end it for that', async () => {
      begin({ wait: 60_000 })
      first.reservation.hold(10)
      second.reservation.hold(5)
      assert.equal(typeof second.exchange.waitsSince, 'number')
      await delay(10)
      first.reservation.release()
      assert.ok(second.exchange.waited > 8, `${second.exchange.waited} ms`)
      assert.deepEqual([second.exchange.waitsSince, first.exchange.waited], [null, 0])
      budget.look()
      assert.deepEqual(second.calls, ['pause', 'resume'])
      budget.look()
      assert.deepEqual(second.calls.slice(2).map(([{ type }]) => type), ['request.timeout'])
    })

    it('tells how long a body has waited that is given up', () => {
      begin({ wait: 60_000 })
      first.reservation.hold(10)
      second.reservation.hold(5)
      second.reservation.release()
      assert.deepEqual([second.exchange.waits, second.exchange.waitsSince], [0, null])
    })

    it('lets all bodies together hold as much as it has, and not a byte more', () => {
      begin()
      assert.deepEqual([first.reservation.hold(6), second.reservation.hold(4)], [null, null])
      const { status, message, expose, type, received, headers } = second.reservation.hold(1)
      assert.deepEqual([status, message, expose, type, received, headers],
        [503, 'too many bodies at once', true, 'budget.exceeded', 5, { 'Retry-After': '1' }])
      assert.deepEqual([first.calls, second.calls], [[], []])
    })

    it('lets the body that began first hold all of it, and not a byte more', async () => {
      begin({ wait: 60_000 })
      first.reservation.hold(6)
      second.reservation.hold(6)
      first.reservation.hold(4)
      assert.deepEqual([first.calls, second.calls], [[], ['pause']])
      assert.equal(first.reservation.hold(1).type, 'budget.exceeded') // no wait would make room for it
      assert.deepEqual([first.calls, first.reservation.bytes, budget.used], [[], 10, 16])
    })

    it('pauses a waiting body again if it is resumed', () => {
      begin({ wait: 60_000 })
      first.reservation.hold(10)
      second.reservation.hold(5)
      second.exchange.isFlowing = true
      second.reservation.hold(1)
      assert.deepEqual(second.calls, ['pause', 'pause'])
    })

    it('has a body wait once, however much more it holds', () => {
      begin({ wait: 60_000 })
      first.reservation.hold(10)
      assert.deepEqual([second.reservation.hold(5), second.reservation.hold(5)], [null, null]) // all that may wait
      assert.deepEqual(second.calls, ['pause'])
    })

    it('refuses at once a byte more than all that may wait', () => {
      begin({ wait: 60_000 })
      first.reservation.hold(10)
      assert.equal(second.reservation.hold(11).type, 'budget.exceeded')
      assert.deepEqual(second.calls, [])
    })

    it('refuses a body that has waited for that long', async () => {
      begin({ wait: 5 })
      first.reservation.hold(10)
      second.reservation.hold(5)
      while (second.calls.length < 2) await delay(5)
      const [pause, [error, mustClose]] = second.calls
      assert.deepEqual([pause, error.type, mustClose], ['pause', 'budget.exceeded', false])
    })

    it('ends a body that has stalled while others are refused, and not one that goes on, is complete, or has a deadline', () => {
      begin()
      budget = createBudget({ bytes: 100_000 })
      const [stalled, sending, parsed, timed, other] = [join(), join(), join(), join(true), join()]
      for (const { reservation } of [stalled, sending, parsed, timed]) reservation.hold(20_000)
      parsed.exchange.awaitsBody = false
      assert.equal(budget.timer, null)
      assert.equal(other.reservation.hold(30_000).type, 'budget.exceeded')
      assert.equal(budget.timer.timer.hasRef(), false)
      sending.exchange.received += 5120
      budget.look()
      assert.deepEqual(stalled.calls.map(([error, mustClose]) => [error.type, mustClose]), [['request.timeout', true]])
      for (const { calls } of [sending, parsed, timed]) assert.deepEqual(calls, [])
      for (const { reservation } of [stalled, sending, parsed, timed, other]) reservation.release()
      assert.deepEqual([budget.timer, budget.used], [null, 0])
    })

    it('does not end a body that began after the last check', () => {
      begin()
      first.reservation.hold(6)
      const refuse = () => assert.equal(second.reservation.hold(6).type, 'budget.exceeded')
      refuse()
      const newcomer = join()
      newcomer.reservation.hold(4)
      refuse()
      budget.look()
      assert.deepEqual(newcomer.calls, [])
      budget.look()
      assert.deepEqual(newcomer.calls.map(([{ type }]) => type), ['request.timeout'])
      newcomer.reservation.release()
    })

    it('measures what the client sends, not what is decoded of it', () => {
      begin()
      budget = createBudget({ bytes: 100_000 })
      const [fast, slow, decoding, other] = [join(), join(), join(), join()]
      for (const { reservation } of [fast, slow, decoding]) reservation.hold(20_000)
      assert.equal(other.reservation.hold(50_000).type, 'budget.exceeded')
      fast.exchange.received += 5120
      slow.exchange.received += 5119
      slow.reservation.hold(20_000)
      decoding.exchange.isWhole = true
      budget.look()
      assert.deepEqual(slow.calls.map(([{ type }]) => type), ['request.timeout'])
      assert.deepEqual([fast.calls, decoding.calls], [[], []])
      for (const { reservation } of [fast, slow, decoding, other]) reservation.release()
    })

    it('checks for stalled clients only while others are refused or wait', () => {
      begin({ wait: 60_000 })
      first.reservation.hold(10)
      second.reservation.hold(5)
      for (let i = 0; i < 3; i++) {
        budget.look()
        assert.notEqual(budget.timer, null)
      }
      second.reservation.completed()
      budget.look()
      budget.look()
      assert.equal(budget.timer, null)
    })

    it('goes on with its checks until the last body has ended', () => {
      begin()
      first.reservation.hold(6)
      second.reservation.hold(4)
      assert.equal(second.reservation.hold(1).type, 'budget.exceeded')
      second.reservation.release()
      assert.notEqual(budget.timer, null)
      first.reservation.release()
      assert.equal(budget.timer, null)
    })

    it('checks after five seconds, also with a faked timer', () => {
      const timers = []
      const { createBudget } = loadWith((...timer) => {
        timers.push(timer)
        return {}
      })
      begin()
      budget = createBudget({ bytes: 10 })
      const [stalled, other] = [join(), join()]
      stalled.reservation.hold(6)
      assert.equal(other.reservation.hold(6).type, 'budget.exceeded')
      const [[look, time]] = timers
      assert.equal(time, 5000)
      look()
      assert.deepEqual(stalled.calls.map(([{ type }]) => type), ['request.timeout'])
      stalled.reservation.release()
    })

    it('never refuses that a body holds less', () => {
      begin()
      first.reservation.hold(6)
      second.reservation.hold(4)
      first.reservation.hold(4)
      assert.deepEqual([second.reservation.hold(0), second.reservation.hold(-1), budget.used], [null, null, 13])
    })

    it('resumes a body as soon as another one holds less', () => {
      begin({ wait: 60_000 })
      first.reservation.hold(10)
      second.reservation.hold(5)
      first.reservation.hold(-4)
      assert.deepEqual(second.calls, ['pause'])
      first.reservation.hold(-1)
      assert.deepEqual(second.calls, ['pause', 'resume'])
    })

    it('resumes those that wait until there is no room again', () => {
      begin({ wait: 60_000 })
      const third = join()
      first.reservation.hold(10)
      for (const { reservation } of [second, third]) reservation.hold(5)
      second.exchange.resume = () => {
        second.calls.push('resume')
        second.reservation.hold(1) // a stream may emit what it has within the call
      }
      first.reservation.release()
      assert.deepEqual([second.calls, third.calls], [['pause', 'resume'], ['pause']])
      third.reservation.release()
    })

    it('looks at few bodies, however many wait, when one is given up and there is no room', () => {
      begin({ wait: 60_000 })
      budget = createBudget({ bytes: 1000, wait: 60_000 })
      const holder = join()
      const waiting = Array.from({ length: 1000 }, () => join())
      holder.reservation.hold(1000)
      for (const { reservation } of waiting) assert.equal(reservation.hold(1), null)
      let looks = 0
      for (const set of [budget.holding, budget.waiting]) {
        const values = set[Symbol.iterator]
        set[Symbol.iterator] = function * () {
          for (const value of values.call(set)) {
            looks++
            yield value
          }
        }
      }
      for (const { reservation } of waiting) reservation.release()
      assert.ok(looks < 10 * waiting.length, `${looks} looks`)
      holder.reservation.release()
    })

    it('does not resume a body that is complete and did not wait', () => {
      begin()
      first.reservation.hold(5)
      first.reservation.completed()
      assert.deepEqual(first.calls, [])
    })

    it('resumes a body that is complete while it waits, and does not refuse it', async () => {
      begin({ wait: 5 })
      first.reservation.hold(10)
      second.reservation.hold(5)
      second.reservation.completed()
      first.reservation.release()
      await delay(20)
      assert.deepEqual(second.calls, ['pause', 'resume'])
    })
  })
})
