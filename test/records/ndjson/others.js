'use strict'

// Requests that a parser of records has not read: what `read` and `schema` make of what other code has left.

const assert = require('node:assert/strict')
const { tracingChannel } = require('node:diagnostics_channel')
const { text: consume } = require('node:stream/consumers')
const { json, jsonArray, ndjson, text } = require('../../../')
const web = require('../../../lib/web')
const { createRequest } = require('../../support/bare-request')
const exchange = require('../../support/exchange')
const { messageOf } = require('../../support/lanes')
const { collect, NDJSON } = require('../../support/loop')
const schemaOf = require('../../support/schema-of')
const { tracing } = require('../../support/where')

const schema = schemaOf((value) => ({ value: { checked: value } }))
const LINES = { headers: { 'Content-Type': NDJSON }, body: '{"a":1}\n{"a":2}\n' }
const LETTERS = { headers: { 'Content-Type': 'text/plain' }, body: '{"a":1}\n' }
const ARRAY = { headers: { 'Content-Type': 'application/json' }, body: '[{"a":1},{"a":2}]' }
const RECORDS = [{ a: 1 }, { a: 2 }]
const CHECKED = RECORDS.map((checked) => ({ checked }))

/** Each middleware after the other, and then what a handler makes of the request. */
async function run (request, middlewares, handle) {
  const seen = {}
  await exchange((req, res, done) => {
    const rest = [...middlewares]
    const finish = (error) => {
      seen.error = error
      seen.accept = res.getHeader('Accept')
      done(error)
    }
    const next = (error) => {
      if (error) return finish(error)
      if (rest.length > 0) return rest.shift()(req, res, next)
      handle(req, res).then((value) => { seen.value = value; finish() }, finish)
    }
    next()
  }, messageOf(request))
  return seen
}

const loop = async ({ body }) => collect(body)
const readBy = (parser) => async (req, res) => collect(await parser.read(req, res))
const shown = ({ accept, error }) => [error?.status, error?.message, accept]

describe('records that other code may have read', () => {
  it('never get past a schema', async () => {
    const parser = jsonArray({ schema })
    const message = 'unsupported media type "application/json", as other code has read the body before jsonArray()'
    for (const [middlewares, handle] of [
      [[json(), parser], loop],
      [[json(), parser], ({ body }) => collect(body.batches(2))],
      [[json()], readBy(parser)]
    ]) {
      assert.deepEqual(shown(await run(ARRAY, middlewares, handle)), [415, message, 'application/json'])
    }
    const letters = await run(LETTERS, [text(), parser], loop)
    assert.deepEqual(shown(letters), [415, 'unsupported media type "text/plain"', 'application/json'])
  })

  it('are read by a parser with a schema in front of the others', async () => {
    for (const middlewares of [[jsonArray({ schema }), json()], [jsonArray({ schema, buffered: true })]]) {
      assert.deepEqual((await run(ARRAY, middlewares, loop)).value, CHECKED)
    }
  })

  it('are those of another parser, unless a schema is to check them', async () => {
    const lines = ndjson()
    for (const [middlewares, handle] of [[[lines, ndjson()], loop], [[lines], readBy(ndjson())]]) {
      assert.deepEqual((await run(LINES, middlewares, handle)).value, RECORDS)
    }
    const checking = ndjson({ schema })
    for (const [middlewares, handle] of [
      [[lines, checking], loop],
      [[ndjson({ schema }), checking], loop],
      [[lines], readBy(checking)]
    ]) {
      assert.equal((await run(LINES, middlewares, handle)).error?.status, 415)
    }
  })

  it('are given by read as often as it is called, and behind the middleware', async () => {
    for (const options of [{}, { schema }]) {
      const parser = ndjson(options)
      const { value } = await run(LINES, [parser, parser], async (req, res) => {
        const [first, second] = await Promise.all([parser.read(req, res), parser.read(req, res)])
        assert.equal(first, second)
        assert.equal(first, req.body)
        return collect(first)
      })
      assert.deepEqual(value, options.schema === undefined ? RECORDS : CHECKED)
    }
  })

  for (const [what, request, before] of [
    ['no content', {}, undefined],
    ['an empty object for no content', {}, {}],
    ['null for no content', {}, null],
    ['no byte in chunks', { ...LETTERS, body: '', chunked: true }, undefined]
  ]) {
    it(`are none, and not those of ${what}`, async () => {
      const leave = (req, res, next) => {
        if (before !== undefined) req.body = before
        next()
      }
      for (const [middlewares, handle] of [
        [[leave, ndjson({ schema })], loop],
        [[leave], readBy(ndjson())],
        [[leave], readBy(ndjson({ buffered: true, schema }))]
      ]) {
        const seen = await run(request, middlewares, handle)
        assert.deepEqual([seen.error, seen.value], [undefined, []])
      }
      const items = await run(request, [leave], readBy(jsonArray()))
      assert.deepEqual([items.error.status, items.error.type], [400, 'entity.parse.failed'])
    })
  }

  it('are refused where an adapter gives content without its length', async () => {
    for (const body of ['{"a":1}', [{ a: 1 }]]) {
      const req = { headers: { 'content-type': NDJSON }, body }
      await assert.rejects(ndjson().read(req, {}), { status: 415 })
      await assert.rejects(ndjson({ buffered: true }).read({ ...req, body: [body] }, {}), { status: 415 })
    }
    const req = { headers: { 'content-type': NDJSON }, body: '{"a":1}' }
    assert.deepEqual(await collect(await ndjson({ buffered: true, schema }).read(req, {})), [{ checked: { a: 1 } }])
  })

  it('are refused where the app has a getter that throws', async () => {
    const req = Object.defineProperty({ headers: {} }, 'body', { get () { throw new Error('of the app') } })
    await assert.rejects(ndjson().read(req, {}), { message: 'of the app' })
  })

  it('are refused where option type throws when it is asked again', async () => {
    let calls = 0
    const type = () => {
      if (++calls > 1) throw new Error('of the app')
      return false
    }
    const { error } = await run(LETTERS, [ndjson({ schema, type })], loop)
    assert.equal(error.message, 'of the app')
  })

  it('leave what another parser has read to its route, if there is no schema', async () => {
    const { value } = await run(LETTERS, [text(), ndjson(), jsonArray()], async ({ body }) => body)
    assert.equal(value, LETTERS.body)
  })

  it('are a 500 if nothing is left of them', async () => {
    const swallow = (req, res, next) => consume(req).then(() => next(), next)
    for (const [middlewares, handle] of [[[swallow, ndjson()], loop], [[swallow], readBy(ndjson())]]) {
      const { error } = await run(LINES, middlewares, handle)
      assert.deepEqual([error.status, error.type, error.message], [500, 'stream.not.readable',
        'stream is not readable: it was read or destroyed before ndjson() was called'])
    }
  })

  it('are a request.aborted if the client has left before', async () => {
    const type = { 'content-type': NDJSON, 'content-length': '9' }
    for (const options of [{}, { schema }]) {
      const gone = () => Object.assign(createRequest(() => ({ complete: false, socket: {} }), type), { aborted: true })
      const error = await new Promise((resolve) => ndjson(options)(gone(), {}, resolve))
      assert.deepEqual([error.type, error.received], ['request.aborted', 0])
      await assert.rejects(ndjson(options).read(gone(), {}), { type: 'request.aborted' })
    }
  })

  for (const [what, type, isUsed, status] of [
    ['that other code has read', 'application/json', true, 500],
    ['of another type', 'text/plain', false, 415],
    ['of another type that other code has read', 'text/plain', true, 415]
  ]) {
    it(`never get past a schema: a Request ${what}`, async () => {
      const items = web.jsonArray({ schema })
      for (const read of [items, web.firstOf(items, web.multipart())]) {
        const headers = { 'content-type': type }
        const request = new Request('http://localhost/', { method: 'POST', body: '[1]', headers })
        if (isUsed) await request.text()
        await assert.rejects(async () => collect(await read(request)), { status })
      }
    })
  }

  tracing.it('are traced once if they are refused', async () => {
    const messages = []
    const subscribers = { asyncStart: ({ parser, error }) => messages.push([parser, error.status]) }
    const channel = tracingChannel('fast-body-parser')
    channel.subscribe(subscribers)
    try {
      await run(LETTERS, [ndjson({ schema })], loop)
      await run(LETTERS, [], readBy(ndjson()))
    } finally {
      channel.unsubscribe(subscribers)
    }
    assert.deepEqual(messages, [['ndjson', 415], ['ndjson', 415]])
  })

  it('need a next, and leave the parser its name', () => {
    const parser = ndjson({ schema, buffered: true })
    assert.equal(parser.name, 'ndjsonParser')
    assert.throws(() => parser({ headers: {} }, {}), { name: 'TypeError', message: /^next is not a function/ })
  })
})
