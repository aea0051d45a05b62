'use strict'

const assert = require('node:assert/strict')
const { setTimeout: delay } = require('node:timers/promises')
const { z } = require('zod')
const { ndjson } = require('../../../')
const { createLines } = require('../../../lib/records/ndjson/line-records')
const Records = require('../../../lib/records/records')
const { arrivals } = require('../../support/arrival')
const { loop, shown, NDJSON } = require('../../support/loop')
const schemaOf = require('../../support/schema-of')
const { countTurns } = require('../../support/slices')

const SEQUENCE = { headers: { 'Content-Type': 'application/json-seq' } }
const parts = (error, expected) => Object.fromEntries(Object.keys(expected).map((name) => [name, error[name]]))
const failed = (line, offset, body) => ({ status: 400, type: 'entity.parse.failed', line, offset, body })
const number = z.object({ a: z.number() })

const decodeUtf8 = (bytes) => Buffer.from(bytes).toString()

/** Records of chunks without a request. */
function recordsOf (readChunks, { decode = decodeUtf8, parse = JSON.parse, ...options } = {}) {
  const parser = { parse, settings: { max: Infinity, onError: 'stop', record: Infinity, ...options } }
  return new Records(readChunks, createLines({ decode, isSequence: false }, parser), parser)
}

// [what, body, items, error, options, message]
const rows = [
  ['one per line', '{"a":1}\r\n[2]\n', [{ a: 1 }, [2]]],
  ['none of an empty body', '', []],
  ['a last line without its end', '{}\n[]', [{}, []]],
  ['all values, unless strict', 'null\n1\n"a"\nfalse', [null, 1, 'a', false], undefined, { strict: false }],
  ['what comes before one that is no JSON', '{}\n\n"é"\n{"a":}\n{}', [{}, 'é'], failed(4, 9, '{"a":}'),
    { strict: false }],
  ['nothing of two on a line', '[1],[2]', [], failed(1, 0, '[1],[2]')],
  ['a text sequence', '\x1e{"a":\n1}\n\x1e[]\n', [{ a: 1 }, []], undefined, {}, SEQUENCE],
  ['nothing before the first separator of a sequence', '{}\n\x1e[]\n', [], failed(0, 0, '{}\n'), {}, SEQUENCE],
  ['no number that may be cut off', '\x1e12\n\x1e1', [12], failed(2, 5, '1'), { strict: false }, SEQUENCE],
  ['what comes before one that is too large', '{}\n[1,2,3]\n', [{}],
    { status: 413, type: 'entity.too.large', line: 2, offset: 3, limit: 5 }, { record: 5 }],
  ['what comes before one that is too deep', '[]\n[[]]', [[]],
    { status: 400, type: 'entity.too.deep', line: 2, offset: 3, body: '[[]]' }, { depth: 1 }],
  ['no more than max', '[]\n{}\n\n[]\n', [[], {}],
    { status: 413, type: 'records.too.many', line: 4, offset: 7, limit: 2 }, { max: 2 }],
  ['no more than max, though the next one is over record', '[]\n[1,2,3]\n[]\n', [[]],
    { status: 413, type: 'records.too.many', line: 2, offset: 3, limit: 1 }, { max: 1, record: 5 }],
  ['what a reviver makes of them', '[1]\n[2]', [['1'], ['2']], undefined,
    { reviver: (key, value) => typeof value === 'number' ? String(value) : value }],
  ['no __proto__ that is refused', '{"__proto__":{}}\n', [], failed(1, 0, '{"__proto__":{}}'),
    { onProtoPoisoning: 'error' }],
  ['what a schema makes of them', '{"a":1,"b":2}\n', [{ a: 1 }], undefined, { schema: number }],
  ['what comes before one that a schema refuses', '{"a":1}\n{"a":"1"}\n', [{ a: 1 }],
    { status: 422, type: 'entity.invalid', line: 2, offset: 8, body: '{"a":"1"}' }, { schema: number }],
  ['none over the limit', '[]\n'.repeat(5), [], { status: 413, type: 'entity.too.large', limit: 14 }, { limit: 14 }],
  ['keys that the engine would confuse', '{"b":1,"\\\\":2}\n{"b":1,"\\u00e9":2}\n', [{ b: 1, '\\': 2 }, { b: 1, é: 2 }]]
]

describe('records are', () => {
  for (const [what, text, items, error, options, message] of rows) {
    it(what, async () => {
      for (const pieces of Object.values(arrivals(Buffer.from(text)))) {
        const seen = await loop(ndjson(options), pieces, message)
        assert.deepEqual([seen.items, shown(seen.error), seen.calls], [items, error, 1])
      }
    })
  }
})

describe('batches', () => {
  const text = '[1]\n[2]\n[3]\n[4]\n[5]\n'

  // [what, body, lists, error, options]
  const rows = [
    ['have so many records, and the last one the rest', text, [[[1], [2]], [[3], [4]], [[5]]]],
    ['come before an error', `${text}1`, [[[1], [2]], [[3], [4]], [[5]]], 'entity.parse.failed'],
    ['come before an error of the request', text, [[[1], [2]], [[3]]], 'records.too.many', { max: 3 }],
    ['have items, if errors are collected', '1\n[]\n{',
      [[{ line: 1, error: 'entity.parse.failed' }, { line: 2, value: [] }],
        [{ line: 3, error: 'entity.parse.failed' }]], undefined, { onError: 'collect' }]
  ]
  for (const [what, body, lists, type, options] of rows) {
    it(what, async () => {
      for (const pieces of Object.values(arrivals(Buffer.from(body)))) {
        const { items, error } = await loop(ndjson(options), pieces, { size: 2 })
        for (const item of items.flat()) if (item.error) item.error = item.error.type
        assert.deepEqual([items, error?.type], [lists, type])
      }
    })
  }

  for (const size of [0, 1.5, '2', undefined]) {
    it(`are not of ${size} records`, async () => {
      const { error, items } = await loop(ndjson(), '[]', {
        async handle ({ body }) {
          assert.throws(() => body.batches(size), { name: 'TypeError', message: 'batches takes a positive integer' })
          for await (const item of body) assert.deepEqual(item, []) // it is still unread
        }
      })
      assert.deepEqual([error, items], [undefined, []])
    })
  }
})

describe('ndjson: what a schema throws', () => {
  const fault = new Error('the database is down')
  const own = [fault, Object.freeze(new Error('frozen'))]
  const noError = [null, 'text']
  const noResult = { name: 'TypeError', status: undefined, type: undefined }
  const throwing = (thrown) => [
    [`${thrown} at once`, () => { throw thrown }],
    [`${thrown} later`, async () => { throw thrown }]
  ]
  // [what, what the schema does, what the loop throws]
  const rows = [
    ...own.flatMap((thrown) => throwing(thrown).map((row) => [...row, thrown])),
    ...noError.flatMap((thrown) => throwing(thrown).map((row) => [...row, { status: 500, expose: false }])),
    ['that it gives nothing', () => {}, noResult],
    ['by its issues', () => ({ get issues () { throw fault } }), fault],
    ['by a promise in its value', () => ({ value: Promise.reject(fault) }), fault]
  ]
  for (const onError of ['stop', 'collect']) {
    for (const [what, act, expected] of rows) {
      it(`ends the loop, as the app's own error (${onError}): ${what}`, async () => {
        const isOwn = expected instanceof Error
        const properties = Object.getOwnPropertyDescriptors(expected)
        const schema = schemaOf((value) => value === 0 ? act() : { value })
        const { items, error } = await loop(ndjson({ onError, strict: false, schema }), '1\n0\n2')
        assert.equal(items.length, 1)
        if (!isOwn) return assert.deepEqual(parts(error, expected), expected)
        assert.equal(error, expected)
        assert.deepEqual(Object.getOwnPropertyDescriptors(error), properties)
      })
    }
  }
})

describe("onError: 'collect'", () => {
  it('throws errors of the request', async () => {
    const rows = [['1\n1\n1', { max: 2 }, 'records.too.many', 2],
      ['111\n111\n111', { max: 2, record: 2 }, 'records.too.many', 2],
      ['[]\n[]\n[]\n', { limit: 8 }, 'entity.too.large', 0]]
    for (const [text, options, type, count] of rows) {
      const { items, error } = await loop(ndjson({ ...options, onError: 'collect' }), text)
      assert.deepEqual([error.type, items.length], [type, count])
    }
  })
})

describe('a loop', () => {
  const spaces = `[${' '.repeat(200_000)}]\n`
  // [what, body, options, turns at least]
  for (const [what, text, options, least] of [
    ['a thousand small records', '[]\n'.repeat(20_000), {}, 19],
    ['a few large records', spaces.repeat(40), { limit: Infinity }, 3],
    ['a hundred wrong records', '1\n'.repeat(5000), { onError: 'collect', maxErrors: Infinity }, 49]
  ]) {
    it(`lets others run between ${what}`, async () => {
      const records = await ndjson({ buffered: true, ...options }).read({
        headers: { 'content-type': NDJSON, 'content-length': `${text.length}` }, body: Buffer.from(text)
      }, {})
      const turns = countTurns()
      for await (const item of records) assert.ok(item)
      turns.stop()
      assert.ok(turns.count >= least, `${turns.count} turns`)
    })
  }

  it('is told what is wrong with a text of a sequence', async () => {
    for (const [text, message] of [['1', 'no record separator before the JSON text'],
      ['\x1e1', 'the JSON text may be cut off']]) {
      const { error } = await loop(ndjson({ strict: false }), text, SEQUENCE)
      assert.equal(error.message, message)
    }
  })

  it('is the only one', async () => {
    const message = 'the records are read by another loop'
    const { error, items } = await loop(ndjson(), '[]\n{}', {
      async handle ({ body }) {
        for await (const item of body) {
          assert.ok(item)
          assert.throws(() => body[Symbol.asyncIterator](), { name: 'TypeError', message })
          assert.throws(() => body.batches(1), { name: 'TypeError', message })
        }
        assert.throws(() => body.batches(1), { name: 'TypeError', message })
      }
    })
    assert.deepEqual([error, items], [undefined, []])
  })

  /** What comes of an iterator, instead of a loop. */
  const iterate = async (body, options, act) => {
    const handle = ({ body }) => act(body[Symbol.asyncIterator]())
    return (await loop(ndjson(options), body, { handle })).handled
  }

  it('may ask for several records at once', async () => {
    const seen = await iterate(['[1]\n[', '2]\n[3]\n', '[4]'], {}, async (iterator) => {
      assert.equal(iterator[Symbol.asyncIterator](), iterator)
      const ask = () => Promise.all([iterator.next(), iterator.next(), iterator.next()])
      return [...await ask(), ...await ask()].map(({ value, done }) => done || value[0])
    })
    assert.deepEqual(seen, [1, 2, 3, 4, true, true])
  })

  it('has one record checked at a time, however many it asks for at once', async () => {
    const running = []
    let count = 0
    const validate = async (value) => {
      running.push(++count)
      await delay(1)
      count--
      return { value }
    }
    const seen = await iterate('[1]\n[2]\n[3]\n[4]\n', { schema: schemaOf(validate) }, async (iterator) => {
      const [first, second] = [iterator.next(), iterator.next()]
      const results = [await first, ...await Promise.all([second, iterator.next(), iterator.next()])]
      return results.map(({ value }) => value[0])
    })
    assert.deepEqual([seen, running], [[1, 2, 3, 4], [1, 1, 1, 1]])
  })

  it('gives no list twice if it ends at the last one', async () => {
    const { handled } = await loop(ndjson(), '[1]\n[2]\n[3]', {
      async handle ({ body }) {
        const iterator = body.batches(2)
        await iterator.next()
        await iterator.next()
        return iterator.throw(new Error('enough')).catch(({ message }) => message)
      }
    })
    assert.equal(handled, 'enough')
  })

  it('awaits what a reviver returns', async () => {
    const { items } = await loop(ndjson({ reviver: (key, value) => key === '' ? Promise.resolve(value) : value }),
      '[1]\n[2]\n[3]')
    assert.deepEqual(items, [[1], [2], [3]])
  })

  it('lets the request go after a promise of a reviver is rejected', async () => {
    const fault = new Error('of the reviver')
    for (const failing of [1, 3]) {
      let isLeft = false
      let count = 0
      const parse = () => ++count === failing ? Promise.reject(fault) : count
      const chunks = async function * () {
        try {
          yield Buffer.from('1\n2\n3\n4\n')
        } finally {
          isLeft = true
        }
      }
      const records = recordsOf(chunks, { parse, reviver () {} })
      await assert.rejects(async () => { for await (const item of records) assert.ok(item < failing) }, fault)
      assert.ok(isLeft)
    }
  })

  it('may end by its iterator', async () => {
    const reason = new Error('enough')
    const seen = await iterate('[1]\n[2]\n[3]\n', {}, async (iterator) => {
      await iterator.next()
      await iterator.next()
      return [await iterator.throw(reason).catch((error) => error), await iterator.next(), await iterator.return(5),
        await iterator.next()]
    })
    assert.deepEqual(seen,
      [reason, { value: undefined, done: true }, { value: 5, done: true }, { value: undefined, done: true }])
  })
})
