'use strict'

// ndjson of fast-body-parser/web.

const assert = require('node:assert/strict')
const { getEventListeners } = require('node:events')
const { setTimeout: delay } = require('node:timers/promises')
const zlib = require('node:zlib')
const { ndjson } = require('fast-body-parser/web')
const Clock = require('../../support/clock')
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
    ['reads a byte order mark', '\uFEFF[1]', [[1]]],
    ['reads nothing of a request without a body', null, []],
    ['reads nothing of a request without a body, whatever its type is', null, [], undefined, {}, type('text/html')],
    ['reads a coded body', zlib.gzipSync('[1]\n[2]'), [[1], [2]], undefined, {}, GZIP],
    ['reads a text sequence', '\x1e[1]\n\x1e[2]\n', [[1], [2]], undefined, {}, type('application/json-seq')],
    ['collects errors', '1\n[1]', [{ line: 1, error: 'entity.parse.failed' }, { line: 2, value: [1] }], undefined,
      { onError: 'collect' }],
    ['throws the error of a record', '[1]\n1', [[1]],
      { status: 400, type: 'entity.parse.failed', line: 2, offset: 4, body: '1' }],
    ['throws that of another type', '[1]', [], { status: 415, type: 'media.type.unsupported' }, {},
      type('application/json')],
    ['takes another type, by a function', '[1]', [[1]], undefined, { type: () => true }, type('application/json')],
    ['throws that of another charset', '[1]', [], { status: 415, type: 'charset.unsupported' }, {},
      type(`${NDJSON}; charset=UTF-16`)],
    ['takes an empty charset in quotes for UTF-8', '[1]', [[1]], undefined, {}, type(`${NDJSON}; charset=""`)],
    ['throws that of a coding', '[1]', [], { status: 415, type: 'encoding.unsupported' }, { inflate: false }, GZIP],
    ['throws that of the limit, behind the records before', '[1]\n[2]', [[1]],
      { status: 413, type: 'entity.too.large', limit: 5 }, { limit: () => 5 }],
    ['throws that of the limit at once for a coded body, too', zlib.gzipSync('[1]\n[2]'), [[1]],
      { status: 413, type: 'entity.too.large', limit: 5 }, { limit: 5 }, GZIP],
    ['throws that of a declared length over the limit without any record', '[1]\n[2]', [],
      { status: 413, type: 'entity.too.large', limit: 5 }, { limit: 5 }, { 'Content-Length': '7' }],
    ['throws that of a corrupt coded body', 'junk', [], { status: 400 }, {}, GZIP],
    ['throws that of too many wrong records', 'x\nx\n', [{ line: 1, error: 'entity.parse.failed' }],
      { status: 400, type: 'records.errors.too.many', line: 2, offset: 2, limit: 1 },
      { onError: 'collect', maxErrors: 1 }]
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

  it('gives the records of a chunk before the one that ends at the limit', async () => {
    const limit = { status: 413, type: 'entity.too.large', limit: 8 }
    for (const chunks of [['[1]\n[2]\n', '[3]\n'], ['[1]\n[', '2]\n[3]\n']]) {
      const [items, error] = await loop({ limit: 8 }, requestOf(streamOf(chunks).stream))
      assert.deepEqual([items, shown(error)], [[[1], [2]], limit])
    }
  })

  it('throws request.timeout in the place of the limit, if the time is over in the records before', async () => {
    const clock = new Clock()
    const read = clock.load(() => require('../../../lib/web').ndjson({ limit: 9, timeout: 20 }))
    const items = []
    await assert.rejects(async () => {
      for await (const item of read(requestOf('[1]\n[2]\n[3]\n'))) {
        items.push(item)
        clock.pass(40)
      }
    }, { type: 'request.timeout' })
    assert.deepEqual(items[0], [1])
  })

  it('takes a byte order mark for one at the beginning alone', async () => {
    const body = streamOf(['[1]\n', '\uFEFF[2]\n'])
    const [items, { type, line }] = await loop({}, requestOf(body.stream))
    assert.deepEqual([items, type, line], [[[1]], 'entity.parse.failed', 2])
  })

  it('names the charset that it refuses in lower case', () =>
    assert.rejects(collect(ndjson()(requestOf('[1]', type(`${NDJSON}; charset=Latin1`)))),
      { charset: 'latin1', message: 'unsupported charset "LATIN1"' }))

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
    ['before a coded body', 'gzip', []],
    ['in the header of a coded body', 'gzip', [coded.subarray(0, 5)]],
    ['in a coded body', 'gzip', [coded.subarray(0, -20)]],
    ['in the second member of a coded body', 'gzip', [Buffer.concat([coded, coded.subarray(0, 20)])]],
    ['behind a coded body', 'gzip', [coded, coded.subarray(0, 4)]]
  ]
  for (const [what, coding, chunks] of stalls) {
    for (const type of ['request.timeout', 'request.aborted']) {
      for (const isSlow of [false, true]) {
        it(`throws ${type} into a ${isSlow ? 'slow ' : ''}loop whose client stalls ${what}`, async () => {
          const controller = new AbortController()
          const { signal } = controller
          const { stream } = streamOf(chunks, () => {
            if (type === 'request.aborted') setTimeout(() => controller.abort(), 20)
            return new Promise(() => {})
          })
          const request = requestOf(stream, { 'Content-Encoding': coding })
          const read = ndjson(type === 'request.timeout' ? { timeout: 20 } : {})
          const records = read(withSignal(request, signal))
          await assert.rejects(async () => {
            let count = 0
            for await (const record of records) if (record && isSlow && ++count === 1) await delay(40)
          }, { type })
          assert.equal(getEventListeners(signal, 'abort').length, 0)
        })
      }
    }
  }

  it('takes no request of node:http', () => {
    for (const request of [undefined, {}, { headers: {} }]) {
      assert.throws(() => ndjson()(request),
        { name: 'TypeError', message: 'ndjson takes a Request of the web, such as c.req.raw of Hono' })
    }
    assert.throws(() => ndjson({ buffered: true }),
      { name: 'TypeError', message: 'option buffered cannot be combined with fast-body-parser/web' })
  })
})
