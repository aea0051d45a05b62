'use strict'

const assert = require('node:assert/strict')
const { tracingChannel } = require('node:diagnostics_channel')
const { Readable } = require('node:stream')
const { setTimeout: delay, setImmediate: turn } = require('node:timers/promises')
const zlib = require('node:zlib')
const subject = require('fast-body-parser')
const { createStorage } = require('../../support/async-storage')
const exchange = require('../../support/exchange')
const { messageOf, lanesOf } = require('../../support/lanes')
const { read } = require('../../support/pages')
const { typed } = require('../../support/outcome')
const TYPES = require('../../support/types')
const { tracing } = require('../../support/where')

const channel = tracingChannel('fast-body-parser')
const NAMES = ['start', 'end', 'asyncStart', 'asyncEnd', 'error']
const json = { 'Content-Type': TYPES.json }
const gzip = { ...json, 'Content-Encoding': 'gzip' }
const large = JSON.stringify(Array.from({ length: 40_000 }, (_, i) => (i * 7919) % 104729))
const bomb = zlib.gzipSync(`"${'x'.repeat(3_000_000)}"`)

/** Records what is published, with its fields at that time, until `stop` is called. */
function listen (names = NAMES) {
  const events = []
  const listeners = Object.fromEntries(names.map((name) =>
    [name, (message) => events.push({ name, message, ...message })]))
  for (const name of names) channel[name].subscribe(listeners[name])
  const stop = () => names.forEach((name) => channel[name].unsubscribe(listeners[name]))
  return { events, stop }
}

/** Sends a message; gives the outcome, and what was published. */
async function send (parser, message) {
  const { events, stop } = listen()
  const call = {}
  const seen = await exchange((req, res, next) => {
    Object.assign(call, { req, res })
    parser(req, res, (...args) => {
      call.args = args
      next(...args)
    })
  }, message)
  stop()
  return { ...seen, ...call, events }
}

/** Hands over a request whose body other code has read, to a parser; gives the same. */
async function sendBuffered (options, req) {
  const { events, stop } = listen()
  const res = {}
  const parser = subject.json({ buffered: true, ...options })
  const args = await new Promise((resolve) => parser(req, res, (...args) => turn().then(() => resolve(args))))
  stop()
  return { req, res, args, events }
}

const namesOf = (events) => events.map(({ name }) => name)
const ORDER = ['start', 'end', 'asyncStart', 'asyncEnd']
const ORDER_OF_ERROR = ['start', 'end', 'error', 'asyncStart', 'asyncEnd']
const ORDER_AT_ONCE = ['start', 'error', 'asyncStart', 'asyncEnd', 'end'] // as next is called within the call
const published = ({ parser, lane, bytesIn, bytesDecoded }) => ({ parser, lane, bytesIn, bytesDecoded })

/** What holds for the messages of each request. */
function checkMessages ({ events, req, res, args }) {
  const [{ message }] = events
  for (const event of events) {
    assert.equal(event.message, message)
    assert.equal(event.req, req)
    assert.equal(event.res, res)
  }
  const { lane, bytesIn, bytesDecoded, ms, error } = events[0]
  assert.equal(typeof lane, 'string')
  assert.deepEqual([bytesIn, bytesDecoded, ms, error], [0, 0, 0, undefined])
  for (const event of events.slice(namesOf(events).findIndex((name) => name === 'asyncStart' || name === 'error'))) {
    assert.ok(Number.isFinite(event.ms) && event.ms >= 0)
    assert.equal(event.error, args[0])
    assert.deepEqual(published(event), published(message))
  }
}

/** Checks what is published of each body: [what, request, options, status, lane, bytesIn, bytesDecoded]. */
function testRows (order, rows) {
  for (const [what, request, options, status, lane, bytesIn, bytesDecoded] of rows) {
    it(what, async () => {
      const seen = await send(subject.json({ limit: '5mb', ...options }), messageOf({ headers: json, ...request }))
      assert.deepEqual([seen.next, seen.error.status, namesOf(seen.events)], [1, status, order])
      checkMessages(seen)
      assert.deepEqual(published(seen.events.at(-1)), { parser: 'json', lane, bytesIn, bytesDecoded })
    })
  }
}

tracing.describe('tracing channel', () => {
  describe('publishes a body', () => {
    const bodies = { json: '{"name":"論"}', raw: 'x', text: 'été', urlencoded: 'a=1' }
    for (const [name, body] of Object.entries(bodies)) {
      for (const [way, message] of Object.entries(lanesOf({ headers: { 'Content-Type': TYPES[name] }, body }))) {
        if (name !== 'json' && !way.endsWith('halves')) continue
        it(`of ${name}, ${way}`, async () => {
          const seen = await send(subject[name](), message)
          const size = Buffer.byteLength(body)
          const coded = way.startsWith('gzip')
          const lane = coded ? (way.includes('chunked') ? 'stream' : 'one-shot') : 'identity'
          assert.equal(seen.error, 'none')
          assert.deepEqual(namesOf(seen.events), ORDER)
          checkMessages(seen)
          assert.deepEqual(published(seen.events[2]), {
            parser: name,
            lane,
            bytesIn: coded ? zlib.gzipSync(body).length : size,
            bytesDecoded: size
          })
          assert.equal(seen.args.length, 0)
        })
      }
    }

    const stored = zlib.gzipSync(large, { level: 0 })
    testRows(ORDER, [
      ['that is empty', { body: '' }, {}, undefined, 'identity', 0, 0],
      ['that is large', { body: large }, {}, undefined, 'identity', large.length, large.length],
      ['that is large and coded', { headers: gzip, body: stored }, {}, undefined, 'stream', stored.length,
        large.length],
      ['that is small but expands to megabytes', { headers: gzip, body: bomb }, { strict: false }, undefined, 'stream',
        bomb.length, 3_000_002],
      ['whose coded bytes are kept', { headers: gzip, body: stored }, { rawBody: 'coded' }, undefined, 'stream',
        stored.length, large.length],
      ['verified later', { body: '{}' }, { verify: () => delay(5) }, undefined, 'identity', 2, 2]
    ])

    it('with the time from the call of the parser to that of next', async () => {
      let verified
      const parser = subject.json({
        async verify () {
          const begun = performance.now()
          await delay(5)
          verified = performance.now() - begun
        }
      })
      const begun = performance.now()
      const { events } = await send(parser, messageOf({ headers: json, body: '{}' }))
      const all = performance.now() - begun
      assert.ok(events.at(-1).ms >= verified && events.at(-1).ms <= all, `${verified} <= ${events.at(-1).ms} <= ${all}`)
    })

    it('that was read before, with lane buffered', async () => {
      for (const [options, error] of [
        [{}, undefined],
        [{ limit: 6 }, 413],
        [{ verify: async () => { throw new Error('no') } }, 403]
      ]) {
        const seen = await sendBuffered(options, { headers: { 'content-type': TYPES.json }, body: '{"a":1}' })
        const { events } = seen
        assert.equal(seen.args[0]?.status, error)
        assert.deepEqual(namesOf(events), error === undefined ? ORDER : ORDER_OF_ERROR)
        checkMessages(seen)
        assert.deepEqual(published(events.at(-1)), {
          parser: 'json',
          lane: 'buffered',
          bytesIn: 7,
          bytesDecoded: error === 413 ? 0 : 7
        })
      }
    })
  })

  describe('publishes an error for', () => {
    const no = () => { throw new Error('no') }
    const NO_SCHEMA = { '~standard': { validate: () => ({ issues: [{ message: 'no' }] }) } }
    const coded = zlib.gzipSync('{"a":1}')
    const badCoded = zlib.gzipSync('{')
    const cut = coded.subarray(0, 15)
    const ofType = (type, more) => ({ body: '{}', ...more, headers: { ...more?.headers, 'Content-Type': type } })
    const UNKNOWN = 'application/json; charset=utf-x'
    testRows(ORDER_OF_ERROR, [
      ['a syntax error', { body: '{"a":' }, {}, 400, 'identity', 5, 5],
      ['a verify that throws', { body: '{}' }, { verify: no }, 403, 'identity', 2, 2],
      ['a verify that rejects', { body: '{}' }, { verify: async () => no() }, 403, 'identity', 2, 2],
      ['what a schema refuses', { body: '{}' }, { schema: NO_SCHEMA }, 422, 'identity', 2, 2],
      ['what a schema refuses without a body', {}, { schema: NO_SCHEMA }, 422, 'none', 0, 0],
      ['a declared length over the limit', { body: '{"a":1}' }, { limit: 5 }, 413, 'none', 0, 0],
      ['a chunked body over the limit', { body: '{"a":1}', chunked: true }, { limit: 5 }, 413, 'identity', 7, 0],
      ['the same with a deadline', { body: '{"a":1}', chunked: true }, { limit: 5, timeout: 10_000 }, 413, 'identity',
        7, 0],
      ['a coded body over the limit', { headers: gzip, body: coded }, { limit: 5 }, 413, 'one-shot', coded.length, 0],
      ['a coded chunked body over the limit', { headers: gzip, body: coded, chunked: true }, { limit: 5 }, 413,
        'stream', coded.length, 0],
      ['a corrupt coded body', { headers: gzip, body: 'junk' }, {}, 400, 'stream', 4, 0],
      ['a coded body cut off', { headers: gzip, body: cut }, {}, 400, 'stream', 15, 0],
      ['a syntax error in a coded body', { headers: gzip, body: badCoded }, {}, 400, 'one-shot', badCoded.length, 1],
      ['an unknown charset', ofType(UNKNOWN), {}, 415, 'none', 0, 0],
      ['a client that leaves', { body: '{"a"', length: 9, cut: true }, {}, 400, 'identity', 4, 0],
      ['a client that leaves amid a coded body', { headers: gzip, body: cut, length: 40, cut: true }, {}, 400,
        'one-shot', 15, 0]
    ])

    // Nothing is read, so next is called at once.
    testRows(ORDER_AT_ONCE, [
      ['content of another type, in front of a schema', ofType('text/plain'), { schema: NO_SCHEMA }],
      ['a refused charset', ofType('application/json; charset=latin1'), {}],
      ['an unknown charset, if there is a verify', ofType(UNKNOWN), { verify () {} }],
      ['an unknown coding', { headers: { ...json, 'Content-Encoding': 'x' }, body: '{}' }, {}],
      ['a coding, with inflate: false', { headers: gzip, body: coded }, { inflate: false }]
    ].map((row) => [...row, 415, 'none', 0, 0]))

    it('a refused charset of content that was read before', async () => {
      const headers = { 'content-type': 'application/json; charset=latin1' }
      const seen = await sendBuffered({}, { headers, body: '{}' })
      checkMessages(seen)
      assert.deepEqual([seen.args[0].status, seen.events.at(-1).lane], [415, 'none'])
    })
  })

  for (const [name, type, expected] of [
    ['json', 'application/json; charset=x', 'charset.unsupported'],
    ['ndjson', 'application/x-ndjson; charset=x', 'charset.unsupported'],
    ['refuseUnparsed', 'a/b', 'media.type.unsupported']
  ]) {
    it(`publishes one error if next throws for a body that ${name} refuses at once`, () => {
      const { events, stop } = listen()
      const bug = new Error('bug of the app')
      const req = Object.assign(Readable.from(['x']), { headers: { 'content-type': type, 'content-length': '1' } })
      assert.throws(() => subject[name]()(req, { headersSent: true }, () => { throw bug }), bug)
      stop()
      assert.deepEqual(namesOf(events), ORDER_AT_ONCE)
      assert.deepEqual(published(events.at(-1)), { parser: name, lane: 'none', bytesIn: 0, bytesDecoded: 0 })
      for (const { error } of events.slice(1)) assert.equal(error.type, expected)
    })
  }

  it('publishes the fields that types and docs/diagnostics.md name', async () => {
    const { events: [{ message }] } = await send(subject.json(), messageOf({ headers: json, body: '{' }))
    const fields = Object.keys(message).sort()
    const [, types] = /interface TraceMessage {([^]*?)\n {2}}/.exec(read('index.d.ts'))
    assert.deepEqual(Array.from(types.matchAll(/^ {4}(\w+)\??:/gm), ([, field]) => field).sort(), fields)
    const [, rows] = /^\| field [^]*?---\|\n([^]*?)\n\n/m.exec(read('docs/diagnostics.md'))
    const [...named] = rows.replace(/ \| .*/g, '').matchAll(/`(\w+)`/g)
    assert.deepEqual(named.map(([, field]) => field).sort(), fields)
  })

  it('publishes what a parser itself throws', () => {
    const { events, stop } = listen(['error'])
    const req = { headers: { 'content-type': 'application/json', 'content-length': '1' } }
    assert.throws(() => subject.json()(req, {}, assert.fail), TypeError)
    stop()
    assert.equal(events.length, 1)
  })

  describe('publishes nothing for', () => {
    it('a request that the parser skips', async () => {
      const skipped = [{ headers: json }, { headers: { 'Content-Type': 'a/b' }, body: 'x' }, { body: 'x' }]
      for (const request of skipped) {
        for (const options of [{}, { buffered: true }, { type: () => false }]) {
          const seen = await send(subject.json(options), messageOf(request))
          assert.deepEqual([seen.next, seen.error, seen.events], [1, 'none', []])
        }
      }
    })

    it('a body that another parser has read', async () => {
      for (const options of [{}, { buffered: true }]) {
        const [first, second] = [subject.json(options), subject.json({ ...options, type: () => true })]
        const seen = await send((req, res, next) => first(req, res, () => second(req, res, next)),
          messageOf({ headers: json, body: '{}' }))
        assert.deepEqual(namesOf(seen.events), ORDER)
      }
    })
  })

  describe('may have subscribers that', () => {
    const parser = subject.json()
    const message = messageOf({ headers: json, body: '{"a":1}' })
    const late = subject.json({ verify: () => delay(10) })

    it('come and go between requests', async () => {
      assert.equal(channel.start.hasSubscribers, false)
      for (let i = 0; i < 3; i++) {
        assert.equal((await send(parser, message)).events.length, 4)
        const { events, stop } = listen()
        stop()
        assert.deepEqual((await exchange(parser, message)).body, typed({ a: 1 }))
        assert.deepEqual(events, [])
      }
    })

    it('subscribe during a request, and get the next one', async () => {
      const events = []
      let listening
      const seen = await exchange((req, res, next) => {
        late(req, res, (error) => {
          listening.stop()
          next(error)
        })
        listening = listen()
        events.push(listening.events)
      }, message)
      assert.deepEqual([seen.next, seen.error, events], [1, 'none', [[]]])
    })
  })

  describe('binds stores', () => {
    const storage = createStorage()
    const gzipped = zlib.gzipSync('{}')
    const requests = {
      'a coded body': [{ headers: gzip, body: gzipped }],
      'a coded chunked body': [{ headers: gzip, body: gzipped, chunked: true }],
      'a body verified later': [{ headers: json, body: '{}' }, { verify: () => turn() }],
      'a body over the limit': [{ headers: json, body: '{}' }, { limit: 1 }],
      'a refused charset': [{ headers: { 'Content-Type': 'application/json; charset=x' }, body: '{}' }]
    }
    for (const [what, [request, options]] of Object.entries(requests)) {
      it(`from start to next, for ${what}`, async () => {
        channel.start.bindStore(storage, ({ req }) => ({ of: req }))
        const stores = []
        const look = (req) => stores.push(storage.getStore()?.of === req)
        const parser = subject.json({
          ...options,
          verify (req, ...rest) {
            look(req)
            return options?.verify?.(req, ...rest)
          }
        })
        const { next } = await exchange((req, res, next) => {
          parser(req, res, (error) => {
            look(req)
            next(error)
          })
          assert.equal(storage.getStore(), undefined, 'it is left when the parser returns')
        }, messageOf(request))
        assert.equal(next, 1)
        assert.deepEqual(stores, stores.map(() => true))
        channel.start.unbindStore(storage)
      })
    }
  })

  it('restores the store of the caller before next is called', async () => {
    const storage = createStorage()
    const before = new WeakMap()
    channel.start.bindStore(storage, (message) => {
      before.set(message, storage.getStore())
      return `body for ${storage.getStore()}`
    })
    channel.asyncStart.bindStore(storage, (message) => before.get(message))
    const stores = []
    const parser = subject.json({ verify: async () => { stores.push(storage.getStore()) } })
    await exchange((req, res, next) => storage.run('caller', () => parser(req, res, () => {
      stores.push(storage.getStore())
      turn().then(() => {
        stores.push(storage.getStore())
        next()
      })
    })), messageOf({ headers: json, body: '[1]' }))
    channel.start.unbindStore(storage)
    channel.asyncStart.unbindStore(storage)
    assert.deepEqual(stores, ['body for caller', 'caller', 'caller'])
  })
})
