'use strict'

// ndjson of fast-body-parser/web.

const assert = require('node:assert/strict')
const { getEventListeners } = require('node:events')
const { setTimeout: delay } = require('node:timers/promises')
const zlib = require('node:zlib')
const { ndjson } = require('fast-body-parser/web')
const { collect, shown, NDJSON } = require('../../support/loop')
const { post } = require('../../support/web-request')

const requestOf = (body, headers) => post(body, { 'Content-Type': NDJSON, ...headers })
/** The same, whose signal tests can see. */
const withSignal = (request, signal) => new Proxy(request, {
  get: (request, name) => name === 'signal' ? signal : Reflect.get(request, name)
})
const GZIP = { 'Content-Encoding': 'gzip' }

async function loop (options, request) {
  const items = []
  try {
    for await (const item of ndjson(options)(request)) items.push(item)
  } catch (error) {
    return [items, error]
  }
  return [items, undefined]
}

/** A stream of these chunks, and how many were asked for. */
function streamOf (chunks, end = (controller) => controller.close()) {
  const seen = { pulls: 0 }
  seen.stream = new ReadableStream({
    pull (controller) {
      if (seen.pulls < chunks.length) controller.enqueue(Buffer.from(chunks[seen.pulls]))
      else end(controller)
      seen.pulls++
    }
  }, { highWaterMark: 0 })
  return seen
}

describe('ndjson of fast-body-parser/web', () => {
  const type = (value) => ({ 'Content-Type': value })

  // [what, body, items, error, options, header]
  const rows = [
    ['reads records', '[1]\n{"a":"é"}\n', [[1], { a: 'é' }]],
    ['reads nothing of a request without a body, whatever its type is', null, [], undefined, {}, type('text/html')],
    ['reads a coded body', zlib.gzipSync('[1]\n[2]'), [[1], [2]], undefined, {}, GZIP],
    ['reads a text sequence', '\x1e[1]\n\x1e[2]\n', [[1], [2]], undefined, {}, type('application/json-seq')],
    ['collects errors', '1\n[1]', [{ line: 1, error: 'entity.parse.failed' }, { line: 2, value: [1] }], undefined,
      { onError: 'collect' }],
    ['throws that of another type', '[1]', [], { status: 415, type: 'media.type.unsupported' }, {},
      type('application/json')],
    ['takes another type, by a function', '[1]', [[1]], undefined, { type: () => true }, type('application/json')],
    ['throws that of another charset', '[1]', [], { status: 415, type: 'charset.unsupported' }, {},
      type(`${NDJSON}; charset=UTF-16`)],
    ['throws that of the limit, behind the records before', '[1]\n[2]', [[1]],
      { status: 413, type: 'entity.too.large', limit: 5 }, { limit: () => 5 }],
    ['throws that of a declared length over the limit without any record', '[1]\n[2]', [],
      { status: 413, type: 'entity.too.large', limit: 5 }, { limit: 5 }, { 'Content-Length': '7' }]
  ]
  for (const [what, body, items, error, options, headers] of rows) {
    it(what, async () => {
      const [seen, fault] = await loop(options, requestOf(body, headers))
      for (const item of seen) if (item.error) item.error = item.error.type
      assert.deepEqual([seen, shown(fault)], [items, error])
    })
  }

  it('throws that of a body without a type', async () => {
    const error = { status: 415, message: 'unsupported media type: the request names none' }
    await assert.rejects(collect(ndjson()(post(Buffer.from('[1]')))), error)
  })

  it('reads as the loop asks', async () => {
    const body = streamOf(['[1]\n', '[2]\n', '[3]\n'])
    const pulls = []
    for await (const item of ndjson()(requestOf(body.stream))) pulls.push([item[0], body.pulls])
    assert.deepEqual(pulls, [[1, 1], [2, 2], [3, 3]])
  })

  it('reads off the rest after break, and as much as drainLimit', async () => {
    for (const options of [{}, { drainLimit: 32 }]) {
      const body = streamOf(Array(9).fill('[1]\n'))
      for await (const item of ndjson(options)(requestOf(body.stream))) if (item) break
      assert.equal(body.pulls, 10)
    }
  })

  it('lets the body go at once when the time is over, although the loop asks for no more', async () => {
    const request = requestOf(streamOf(['[1]\n', '[2]\n']).stream)
    const iterator = ndjson({ timeout: 20 })(request)[Symbol.asyncIterator]()
    assert.deepEqual([(await iterator.next()).value, request.body.locked], [[1], true])
    while (request.body.locked) await delay(5) // of a body that stays locked, mocha's own timeout tells
    await assert.rejects(iterator.next(), { type: 'request.timeout' })
  })

  it('throws what the body fails with, behind the records before', async () => {
    const body = streamOf(['[1]\n[2'], (controller) => controller.error(new Error('gone')))
    const [items, error] = await loop({}, requestOf(body.stream))
    assert.deepEqual([items, error.message, error.status], [[[1]], 'gone', 400])
  })

  it('takes a byte order mark for one at the beginning alone', async () => {
    const body = streamOf(['[1]\n', '\uFEFF[2]\n'])
    const [items, { type, line }] = await loop({}, requestOf(body.stream))
    assert.deepEqual([items, type, line], [[[1]], 'entity.parse.failed', 2])
  })

  it('leaves no listener behind', async () => {
    const { signal } = new AbortController()
    const counts = []
    const count = () => counts.push(getEventListeners(signal, 'abort').length)
    for await (const item of ndjson()(withSignal(requestOf('[1]'), signal))) if (item) count()
    count()
    assert.deepEqual(counts, [1, 0])
  })

  const text = Buffer.alloc(80_000, '[1234567]\n')
  const coded = zlib.gzipSync(text)

  // [where, coding, chunks]
  const stalls = [
    ['before a body', 'identity', []],
    ['in a body', 'identity', [text.subarray(0, 20_005)]],
    ['in a coded body', 'gzip', [coded.subarray(0, -20)]],
    ['behind a coded body', 'gzip', [coded, coded.subarray(0, 4)]]
  ]
  for (const [what, coding, chunks] of stalls) {
    it(`throws request.aborted into a loop whose client leaves ${what}`, async () => {
      const controller = new AbortController()
      const { signal } = controller
      const { stream } = streamOf(chunks, () => {
        setTimeout(() => controller.abort(), 20)
        return new Promise(() => {})
      })
      const request = requestOf(stream, { 'Content-Encoding': coding })
      await assert.rejects(collect(ndjson()(withSignal(request, signal))), { type: 'request.aborted' })
      assert.equal(getEventListeners(signal, 'abort').length, 0)
    })
  }

  it('takes no request of node:http', () => {
    for (const request of [undefined, {}, { headers: {} }]) {
      assert.throws(() => ndjson()(request),
        { name: 'TypeError', message: 'ndjson takes a Request of the web, such as c.req.raw of Hono' })
    }
  })
})
