'use strict'

// What the tracing channel tells of a Request.

const assert = require('node:assert/strict')
const { AsyncLocalStorage } = require('node:async_hooks')
const { tracingChannel } = require('node:diagnostics_channel')
const zlib = require('node:zlib')
const web = require('fast-body-parser/web')
const { collect: drain } = require('../support/loop')
const { read } = require('../support/pages')
const schemaOf = require('../support/schema-of')
const OF_BODY_PARSER = require('../support/types')
const { builtins, tracing } = require('../support/where')
const within = require('../support/within')

const channel = tracingChannel('fast-body-parser')
const NAMES = ['start', 'end', 'asyncStart', 'asyncEnd', 'error']
const DONE = ['start', 'end', 'asyncStart', 'asyncEnd']
const FAILED = ['start', 'end', 'error', 'asyncStart', 'asyncEnd']
const TYPES = {
  ...OF_BODY_PARSER,
  multipart: 'multipart/form-data; boundary=x',
  ndjson: 'application/x-ndjson',
  jsonArray: 'application/json'
}
const JSON_TYPE = { 'content-type': TYPES.json }
const GZIP = { ...JSON_TYPE, 'content-encoding': 'gzip' }
const FORM = '--x\r\nContent-Disposition: form-data; name="a"\r\n\r\n1\r\n--x--'
const SCHEMA = schemaOf(() => ({ issues: [{ message: 'no' }] }))

/** As that of @hono/node-server. */
class Served extends Request {
  [Symbol('incomingKey')] = { complete: true, headers: Object.fromEntries(this.headers) }
  text () { return super.text() }
}

function post (headers, body, Class = Request) {
  const length = Class === Served ? { 'content-length': String(Buffer.byteLength(body)) } : {}
  return new Class('http://localhost/', { method: 'POST', headers: { ...length, ...headers }, body })
}

/** Calls `act`, and gives what is published meanwhile. */
async function listen (act) {
  const events = []
  const listeners = NAMES.map((name) => [name, (message) => events.push({ name, message, ...message })])
  for (const [name, listener] of listeners) channel[name].subscribe(listener)
  try {
    await act()
  } finally {
    for (const [name, listener] of listeners) channel[name].unsubscribe(listener)
  }
  return events
}

const published = ({ parser, lane, bytesIn, bytesDecoded }) => ({ parser, lane, bytesIn, bytesDecoded })
const namesOf = (events) => events.map(({ name }) => name)

function check (events, request, names, error) {
  assert.deepEqual(namesOf(events), names)
  const [{ message, ms }] = events
  for (const event of events) assert.deepEqual([event.message, event.request, event.req], [message, request, undefined])
  assert.equal(ms, 0)
  assert.ok(events.at(-1).ms > 0)
  assert.equal(events.at(-1).error, error)
}

tracing.describe('tracing channel, of a Request,', () => builtins.describe('publishes', () => {
  const bodies = {
    json: '{"a":1}', raw: 'x', text: 'été', urlencoded: 'a=1', multipart: FORM, ndjson: '{}', jsonArray: '[1]'
  }
  for (const [name, body] of Object.entries(bodies)) {
    for (const Class of [Request, Served]) {
      it(`a body of ${name}${Class === Served ? ', of a server' : ''}`, async () => {
        const request = post({ 'content-type': TYPES[name] }, body, Class)
        const isLoop = name === 'ndjson' || name === 'jsonArray'
        const events = await listen(() => isLoop ? drain(web[name]()(request)) : web[name]()(request))
        const size = Buffer.byteLength(body)
        check(events, request, DONE)
        assert.deepEqual(published(events.at(-1)),
          { parser: name, lane: 'identity', bytesIn: size, bytesDecoded: size })
      })
    }
  }

  const coded = zlib.gzipSync('{"a":1}')
  for (const [what, headers, body, Class, options, outcome, status] of [
    ['small and coded', GZIP, coded, Served, {}, ['one-shot', coded.length, 7]],
    ['coded', GZIP, coded, Request, {}, ['stream', coded.length, 7]],
    ['wrong', JSON_TYPE, '{"a":', Served, {}, ['identity', 5, 5], 400],
    ['over the limit', JSON_TYPE, '{"a":1}', Request, { limit: 5 }, ['identity', 7, 0], 413],
    ['declared over the limit', JSON_TYPE, '{"a":1}', Served, { limit: 5 }, ['none', 0, 0], 413],
    ['of an unknown coding', { ...JSON_TYPE, 'content-encoding': 'x' }, '{}', Request, {}, ['none', 0, 0], 415],
    ['of another type, with a schema', {}, 'x', Served, { schema: SCHEMA }, ['none', 0, 0], 415]
  ]) {
    it(`a body that is ${what}`, async () => {
      const request = post(headers, body, Class)
      let error
      const events = await listen(() => web.json(options)(request).catch((reason) => { error = reason }))
      assert.equal(error?.status, status)
      const isSync = namesOf(events).at(-1) === 'end' // of what is refused for its header alone
      const names = error === undefined ? DONE : FAILED
      check(events, request, isSync ? ['start', 'error', 'asyncStart', 'asyncEnd', 'end'] : names, error)
      const [lane, bytesIn, bytesDecoded] = outcome
      assert.deepEqual(published(events.at(-1)), { parser: 'json', lane, bytesIn, bytesDecoded })
    })
  }

  it('a form that fails, or is read part by part, and a loop that fails, or is left', async () => {
    const form = () => post({ 'content-type': TYPES.multipart }, FORM)
    const records = () => post({ 'content-type': TYPES.ndjson }, '{}\n{}\n[')
    const each = async (act) => {
      const events = await listen(() => act().catch(() => {}))
      return [namesOf(events), events.at(-1).parser, events.at(-1).error?.type]
    }
    const leave = async () => {
      const loop = web.ndjson()(records())[Symbol.asyncIterator]()
      await loop.next()
      await loop.return()
    }
    assert.deepEqual(await each(() => web.multipart({ limit: 5 })(form())), [FAILED, 'multipart', 'entity.too.large'])
    const schema = SCHEMA
    assert.deepEqual(await each(() => web.multipart({ schema })(form())), [FAILED, 'multipart', 'entity.invalid'])
    assert.deepEqual(await each(() => drain(web.multipart().parts(form()))), [DONE, 'multipart', undefined])
    assert.deepEqual(await each(() => drain(web.ndjson()(records()))), [FAILED, 'ndjson', 'entity.parse.failed'])
    assert.deepEqual(await each(leave), [FAILED, 'ndjson', 'records.abandoned'])
  })

  it('one reading of a request that is read twice, and nothing of what is left alone', async () => {
    const request = post(JSON_TYPE, '{}')
    const read = web.json()
    assert.deepEqual(namesOf(await listen(() => Promise.all([read(request), read(request)]))), DONE)
    const left = [{ headers: JSON_TYPE }, { body: 'x' }]
    for (const init of left) {
      const request = () => new Request('http://localhost/', { method: 'POST', ...init })
      for (const reader of [web.json(), web.multipart({ files: false })]) {
        assert.deepEqual(await listen(() => reader(request())), [])
      }
    }
    const empty = () => new Request('http://localhost/', { method: 'POST', headers: JSON_TYPE })
    assert.deepEqual(namesOf(await listen(() => web.json({ empty: {} })(empty()))),
      ['start', 'asyncStart', 'asyncEnd', 'end'])
    assert.equal((await listen(() => web.json({ schema: SCHEMA })(empty()).catch(() => {}))).at(-1).error.status, 422)
  })

  it('before the promise is settled, in the async context that is bound', async () => {
    const storage = new AsyncLocalStorage()
    const seen = []
    channel.start.bindStore(storage, ({ parser }) => parser)
    try {
      const verify = async () => { seen.push(storage.getStore()) }
      const note = () => seen.push('asyncStart')
      channel.asyncStart.subscribe(note)
      await storage.run('app', async () => {
        await web.json({ verify })(post(JSON_TYPE, '{}'))
        seen.push(storage.getStore())
      })
      channel.asyncStart.unsubscribe(note)
    } finally {
      channel.start.unbindStore(storage)
    }
    assert.deepEqual(seen, ['json', 'asyncStart', 'app'])
  })

  it('the fields that the types name', async () => {
    const [{ message }] = await listen(() => web.json()(post(JSON_TYPE, '{')).catch(() => {}))
    const [, types] = /interface TraceMessage {([^]*?)\n {2}}/.exec(read('types/web.d.ts'))
    assert.deepEqual(Array.from(types.matchAll(/^ {4}(\w+)\??:/gm), ([, field]) => field).sort(),
      Object.keys(message).sort())
  })
}))

/** Of a runtime with this function. */
function loadIsTracing (getBuiltinModule) {
  const load = () => require('../support/load-again')(require.resolve('../../lib/web/trace'))
  return within(process, { getBuiltinModule }, load).isTracing
}

describe('fast-body-parser/web', () => {
  it('publishes nothing in a runtime without the channel', async () => {
    const isTracing = loadIsTracing(undefined)
    assert.deepEqual(await listen(async () => assert.equal(isTracing(), false)), [])
  })

  it('asks the channels for subscribers where the tracing channel does not tell, as on Bun', () => {
    for (const hasSubscribers of [false, true]) {
      const tracingChannel = () => ({ start: { hasSubscribers: false }, error: { hasSubscribers } })
      assert.equal(loadIsTracing(() => ({ tracingChannel }))(), hasSubscribers)
    }
  })
})
