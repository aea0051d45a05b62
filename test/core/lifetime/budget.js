'use strict'

const assert = require('node:assert/strict')
const { once } = require('node:events')
const http = require('node:http')
const net = require('node:net')
const { setImmediate: turn, setTimeout: delay } = require('node:timers/promises')
const zlib = require('node:zlib')
const { createBudget, json, multipart, ndjson, text } = require('fast-body-parser')
const { listen, stop } = require('../../../tools/local-server')
const Clock = require('../../support/clock')
const { noteUncaught } = require('../../support/uncaught')

const BODY = JSON.stringify(['x'.repeat(100_000)])
const HEAD = `POST / HTTP/1.1\r\nHost: test\r\nContent-Type: application/json\r\nContent-Length: ${BODY.length}\r\n\r\n`

describe('option budget', () => {
  let server
  let calls

  afterEach(() => stop(server))

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
    await listen(server)
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

  it('is shared by parsers, and released by clients that leave', async () => {
    const budget = createBudget({ bytes: BODY.length + 10 })
    await serve(json({ limit: '1mb', budget }), text({ budget }))
    const holder = await hold(budget)
    const ofText = ['a body of text', { 'content-type': 'text/plain' }]
    assert.equal((await post(...ofText)).status, 503)
    holder.destroy()
    while (budget.used > 0) await delay(1)
    assert.equal((await post(...ofText)).status, 200)
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

  it('counts what is decoded in one call, beside the coded bytes', async () => {
    const body = zlib.gzipSync(JSON.stringify(['x'.repeat(10_000)]))
    const headers = { 'content-type': 'application/json', 'content-encoding': 'gzip' }
    const length = 10_004 + body.length
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

  it('is released by bodies over the limit', async () => {
    const budget = createBudget({ bytes: '10mb' })
    await serve(json({ limit: '150kb', budget }))
    assert.equal((await post(JSON.stringify(['x'.repeat(400_000)]))).status, 413)
    assert.equal(budget.used, 0)
  })

  it('is released by a client that leaves after the app has answered, which Node does not tell', async () => {
    const budget = createBudget({ bytes: '1mb' })
    server = http.createServer((req, res) => {
      json({ limit: '1mb', budget })(req, res, () => calls.push('next'))
      res.end('early')
    })
    calls = []
    await listen(server)
    const holder = await hold(budget)
    holder.destroy()
    while (budget.used > 0) await delay(1)
    assert.deepEqual(calls, ['next'])
  })

  const FORM = `--b\r\nContent-Disposition: form-data; name="f"; filename="x"\r\n\r\n${BODY}\r\n--b--`
  const FORM_TYPE = 'multipart/form-data; boundary=b'
  const LIMIT = { limit: '1mb' }
  const readRecords = (options) => {
    const parser = ndjson({ ...LIMIT, ...options })
    const loop = async (req) => { for await (const record of req.body) assert(record) }
    return (req, res, next) => parser(req, res, () => loop(req).then(() => next(), next))
  }
  const others = {
    json: [(options) => json({ ...LIMIT, ...options }), 'application/json', BODY],
    'a loop over records': [readRecords, 'application/x-ndjson', BODY],
    multipart: [(options) => multipart({ ...LIMIT, ...options }), FORM_TYPE, FORM]
  }
  for (const [name, [create, type, body]] of Object.entries(others)) {
    it(`is not held by bytes that come after another listener has ended the request: ${name}`, async () => {
      const budget = createBudget({ bytes: '10mb' })
      const parser = create({ budget, drainLimit: 0 })
      await serve((req, res, next) => {
        req.on('data', () => req.headers.destroy ? req.destroy() : req.emit('aborted'))
        parser(req, res, next)
      })
      const send = (i) => post(body, { 'content-type': type, ...i % 2 ? { destroy: 'yes' } : {} }).catch(() => {})
      await Promise.all([0, 1, 2, 3].map(send))
      while (calls.length < 4) await delay(1)
      assert.deepEqual([budget.used, calls.filter((type) => type !== 'request.aborted')], [0, []])
    })

    it(`does not count what other code has read, and holds: ${name}`, async () => {
      const keep = async (req, res, next) => {
        req.rawBody = Buffer.concat(await req.toArray())
        next()
      }
      await serve(keep, create({ buffered: true, budget: createBudget({ bytes: 1 }) }))
      assert.equal(await (await post(body, { 'content-type': type })).text(), 'ok')
    })
  }
})

describe('a budget', () => {
  const REFUSED = 'budget.exceeded'
  const ENDED = 'request.timeout'
  const CONTENDED = [['a', 6], ['b', 6, REFUSED]] // of 10 bytes; from now on it looks for clients that have stalled

  /** A budget, and readings by their names, which note what is done to them. */
  class Scene {
    clock = new Clock()
    readings = {}

    constructor ({ bytes = 10, wait = 0, timed = '' }) {
      const [{ createBudget }, { guarded }] = this.clock.load(() =>
        ['budget', 'guards'].map((name) => require(`../../../lib/core/lifetime/${name}`)))
      Object.assign(this, { budget: createBudget({ bytes, wait }), timed, Reading: guarded(Object) })
    }

    join (name) {
      const calls = []
      const reading = Object.assign(new this.Reading(), {
        received: 5,
        awaitsBody: true,
        isFlowing: false,
        isWhole: false,
        pause: () => calls.push('pause'),
        resume: () => calls.push('resume'),
        failStep: ({ type }, mustClose) => calls.push(mustClose ? [type, 'close'] : type)
      })
      const reservation = this.budget.createReservation(reading, this.timed === name)
      this.readings[name] = { reading, calls, reservation }
    }

    /**
     * @param {'look' | number | Array} step a look for stalled clients; ms that pass; or a reading, and the bytes
     *   that it holds, with the type of the error, the method of its reservation to call, or what its fields become
     */
    play (step) {
      if (step === 'look') return this.budget.failStalled()
      if (typeof step === 'number') return this.clock.pass(step)
      const [name, act, outcome] = step
      if (!(name in this.readings)) this.join(name)
      const { reading, reservation } = this.readings[name]
      if (typeof act === 'number') assert.equal(reservation.reserve(act)?.type, outcome)
      else if (typeof act === 'string') reservation[act]()
      else Object.assign(reading, act)
    }

    /** What was done to each reading, without those to which nothing was. */
    get calls () {
      const entries = Object.entries(this.readings).map(([name, { calls }]) => [name, calls])
      return Object.fromEntries(entries.filter(([, calls]) => calls.length > 0))
    }

    end () {
      for (const { reservation } of Object.values(this.readings)) reservation.release()
      assert.deepEqual([this.budget.used, this.budget.holding.size, this.budget.timer], [0, 0, null])
    }
  }

  const WAIT = { wait: 60_000 }
  const SHORT_WAIT = { wait: 1200 }
  const LARGE = { bytes: 100_000 }
  const [PAUSED, RESUMED] = [{ b: ['pause'] }, { b: ['pause', 'resume'] }]
  /** [title, options, steps, what is done to which reading] */
  const rows = [
    ['lets all bodies together hold as much as it has, and not a byte more', {},
      [['a', 6], ['b', 4], ['b', 1, REFUSED]], {}],
    ['lets the body that began first hold all of it, and not a byte more, as no wait would make room', WAIT,
      [['a', 6], ['b', 6], ['a', 4], ['a', 1, REFUSED]], PAUSED],
    ['pauses a waiting body again if it is resumed', WAIT,
      [['a', 10], ['b', 5], ['b', { isFlowing: true }], ['b', 1]], { b: ['pause', 'pause'] }],
    ['has a body wait once, however much more it holds', WAIT, [['a', 10], ['b', 5], ['b', 5]], PAUSED],
    ['refuses at once a byte more than all that may wait', WAIT, [['a', 10], ['b', 11, REFUSED]], {}],
    ['lets a body that has arrived whole hold more, and not a byte more than all that may wait', WAIT,
      [['a', 10], ['b', 0], ['b', { isWhole: true }], ['b', 10], ['b', 1, REFUSED]], {}],
    ['refuses a body that has waited for that long', SHORT_WAIT,
      [['a', 10], ['b', 5], 1200], { b: ['pause', REFUSED] }],
    ['never refuses that a body holds less', {}, [['a', 6], ['b', 4], ['a', 4], ['b', 0], ['b', -1]], {}],
    ['does not resume a body while there is too little room', WAIT, [['a', 10], ['b', 5], ['a', -4]], PAUSED],
    ['resumes a body as soon as another one holds less', WAIT, [['a', 10], ['b', 5], ['a', -5]], RESUMED],
    ['does not resume a body that is complete and did not wait', {}, [['a', 5], ['a', 'end']], {}],
    ['resumes a body that is complete while it waits, and does not refuse it', SHORT_WAIT,
      [['a', 10], ['b', 5], ['b', 'end'], ['a', 'release'], 1200], RESUMED],

    ['ends a body that has stalled while others are refused, after five seconds', {}, [...CONTENDED, 5000],
      { a: [[ENDED, 'close']] }],
    ['ends none before', {}, [...CONTENDED, 4999], {}],
    ['ends none that sends 1 KiB per second', LARGE,
      [['a', 20_000], ['b', 90_000, REFUSED], ['a', { received: 5125 }], 'look'], {}],
    ['ends one that sends less, whatever is decoded of it', LARGE,
      [['a', 20_000], ['b', 70_000], ['b', 20_000, REFUSED], ['a', { received: 5124 }], ['a', 1000], 'look'],
      { a: [[ENDED, 'close']], b: [[ENDED, 'close']] }],
    ['ends none that has sent everything', {}, [...CONTENDED, ['a', { isWhole: true }], 'look'], {}],
    ['ends none that is parsed', {}, [...CONTENDED, ['a', { awaitsBody: false }], 'look'], {}],
    ['ends none that has a deadline', { timed: 'a' }, [...CONTENDED, 'look'], {}],
    ['ends none that began after the last look', {},
      [...CONTENDED, ['c', 4], ['b', 6, REFUSED], ['a', { isWhole: true }], 'look'], {}],
    ['ends that one after the next', {},
      [...CONTENDED, ['c', 4], ['b', 6, REFUSED], ['a', { isWhole: true }], 'look', 'look'],
      { c: [[ENDED, 'close']] }],

    ['ends none whose client waits for the app', {}, [...CONTENDED, ['a', { waitsSince: 1 }], 'look'], {}],
    ['ends none whose client waited all the time', {}, [...CONTENDED, ['a', { waited: 5000 }], 'look'], {}],
    ['ends one that has stalled since', {}, [...CONTENDED, ['a', { waited: 5000 }], 'look', 'look'],
      { a: [[ENDED, 'close']] }],
    ['ends one whose client sent too little, although it waited for a moment', {},
      [...CONTENDED, ['a', { waited: 5, received: 5119 }], 'look'], { a: [[ENDED, 'close']] }],
    ['ends none whose client sent enough, of which a moment was missing', {},
      [...CONTENDED, ['a', { waited: 5, received: 5120 }], 'look'], {}],
    ['ends one whose client sent too little in the half of the time in which it could', {},
      [...CONTENDED, ['a', { waited: 2500, received: 2564 }], 'look'], { a: [[ENDED, 'close']] }],
    ['ends none whose client sent enough in the half of the time in which it could', {},
      [...CONTENDED, ['a', { waited: 2500, received: 2565 }], 'look'], {}],
    ['ends none whose client had to wait for more than half of the time', {},
      [...CONTENDED, ['a', { waited: 2501 }], 'look'], {}],
    ['ends none for the time that it waited for room', WAIT, [['a', 10], ['b', 5], 5000, ['a', 'release'], 'look'],
      { a: [[ENDED, 'close']], ...RESUMED }]
  ]
  for (const [title, options, steps, expected] of rows) {
    it(title, () => {
      const scene = new Scene(options)
      for (const step of steps) scene.play(step)
      assert.deepEqual(scene.calls, expected)
      scene.end()
    })
  }

  it('refuses with a 503 that tells when to try again', () => {
    const scene = new Scene(SHORT_WAIT)
    for (const step of [['a', 10], ['b', 0]]) scene.play(step)
    const error = scene.readings.b.reservation.reserve(11)
    assert.deepEqual([error.status, error.message, error.expose, error.type, error.received, error.headers],
      [503, 'too many bodies at once', true, 'budget.exceeded', 5, { 'Retry-After': '2' }])
    scene.end()
  })

  it('tells how long a body has waited for room, and forgets the wait of one that is given up', () => {
    const scene = new Scene(WAIT)
    for (const step of [['a', 10], ['b', 5], ['c', 5], 10, ['c', 'release'], ['a', 'release']]) scene.play(step)
    const [a, b, c] = ['a', 'b', 'c'].map((name) => scene.readings[name].reading)
    assert.deepEqual([a.waited, b.waited, b.waitsSince, c.waits, c.waitsSince], [0, 10, null, 0, null])
    scene.end()
  })

  it('looks for stalled clients only while others are refused or wait', () => {
    const scene = new Scene(WAIT)
    for (const step of [['a', 10], ['b', 5]]) scene.play(step)
    for (let i = 0; i < 3; i++) {
      scene.play('look')
      assert.notEqual(scene.budget.timer, null)
    }
    for (const step of [['b', 'end'], 'look', 'look']) scene.play(step)
    assert.equal(scene.budget.timer, null)
    scene.end()
  })

  it('goes on with its looks until the last body has ended', () => {
    const scene = new Scene({})
    for (const step of [...CONTENDED, ['b', 'release']]) scene.play(step)
    assert.notEqual(scene.budget.timer, null)
    scene.play(['a', 'release'])
    assert.equal(scene.budget.timer, null)
  })

  it('does not keep the process for its looks', () => {
    const budget = createBudget({ bytes: 1 })
    const reservation = budget.createReservation({ received: 0 }, false)
    assert.equal(reservation.reserve(2).type, 'budget.exceeded')
    assert.equal(budget.timer.timer.hasRef(), false)
    reservation.release()
  })

  it('ends all bodies that have stalled, and goes on with its looks, although next throws for some', async () => {
    const scene = new Scene({})
    for (const name of 'abcde') scene.play([name, 2])
    scene.play(['b', 1, REFUSED])
    const faults = { a: new Error('of the first'), c: new Error('of the third') }
    for (const [name, fault] of Object.entries(faults)) scene.play([name, { failStep: () => { throw fault } }])
    const thrown = []
    await noteUncaught((error) => thrown.push(error), async () => {
      scene.play('look')
      await turn()
    })
    assert.deepEqual(thrown, Object.values(faults))
    assert.deepEqual(Object.keys(scene.calls), ['b', 'd', 'e'])
    assert.notEqual(scene.budget.timer, null)
    scene.end()
  })

  it('resumes those that wait until there is no room again', () => {
    const scene = new Scene(WAIT)
    for (const step of [['a', 10], ['b', 5], ['c', 5]]) scene.play(step)
    const resume = () => scene.play(['b', 1]) // a stream may emit what it has within the call
    for (const step of [['b', { resume }], ['a', 'release']]) scene.play(step)
    assert.deepEqual(scene.calls, { b: ['pause'], c: ['pause'] })
    scene.end()
  })

  it('looks at few bodies, however many wait, when one is given up and there is no room', () => {
    const scene = new Scene({ bytes: 1000, wait: 60_000 })
    const names = Array.from({ length: 1000 }, (_, index) => `b${index}`)
    scene.play(['a', 1000])
    for (const name of names) scene.play([name, 1])
    let looks = 0
    for (const set of [scene.budget.holding, scene.budget.waiting]) {
      const values = set[Symbol.iterator]
      set[Symbol.iterator] = function * () {
        for (const value of values.call(set)) {
          looks++
          yield value
        }
      }
    }
    for (const name of names) scene.play([name, 'release'])
    assert.ok(looks < 10 * names.length, `${looks} looks`)
    scene.end()
  })

  it('takes bytes, any wait up to the longest time of a timer, and no other budget', () => {
    for (const options of [undefined, {}, ...[0, -1, NaN, true, 'x'].map((bytes) => ({ bytes }))]) {
      assert.throws(() => createBudget(options), { name: 'TypeError', message: /^option bytes / })
    }
    for (const wait of [-1, NaN, '1', Infinity, 2 ** 31]) {
      assert.throws(() => createBudget({ bytes: 1, wait }),
        new TypeError('option wait must be zero or a positive number of milliseconds'))
    }
    for (const budget of [1, {}, '1mb', true]) {
      assert.throws(() => json({ budget }), new TypeError('option budget must be made by createBudget()'))
    }
    for (const [options, wait] of [[{}, 0], [{ wait: 0 }, 0], [{ wait: 2 ** 31 - 1 }, 2 ** 31 - 1]]) {
      assert.equal(createBudget({ bytes: 1, ...options }).wait, wait)
    }
  })
})
