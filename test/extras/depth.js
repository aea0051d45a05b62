'use strict'

const assert = require('node:assert/strict')
const { outcomeOfAll } = require('../support/lane')
const { typed } = require('../support/outcome')
const { json } = require('fast-body-parser')

const TYPE = 'application/json'

async function gives (options, text, value) {
  const seen = await outcomeOfAll(json(options), TYPE, text)
  assert.equal(seen.error, 'none')
  assert.deepEqual(seen.body, typed(value))
}

async function tooDeep (options, text) {
  const { error, body, hasBody } = await outcomeOfAll(json(options), TYPE, text)
  assert.deepEqual([error.status, error.type, error.constructor, error.message, error.expose],
    [400, 'entity.too.deep', 'BadRequestError', 'the JSON exceeded the depth', true])
  assert.deepEqual(error.own.depth.value, typed(options.depth))
  assert.deepEqual(error.own.body.value, typed(text))
  assert.deepEqual([body, hasBody], ['undefined', true])
}

const nested = (depth) => '['.repeat(depth) + ']'.repeat(depth)

describe('json({ depth })', () => {
  for (const [depth, text] of [[1, '[]'], [1, '{"a":"[["}'], [2, '{"a":[1,"]"]}'], [3, '[{"a":{}},[]]'], [32, nested(32)], [1000, nested(1000)]]) {
    it(`takes ${depth} levels and no more: ${text.slice(0, 20)}`, async () => {
      await gives({ depth }, text, JSON.parse(text))
      await tooDeep({ depth: depth - 1 }, text)
    })
  }

  it('may be 0, for a value that is no container', async () => {
    await gives({ depth: 0, strict: false }, '5', 5)
    await gives({ depth: 0, strict: false }, '"[]"', '[]')
    await gives({ depth: 0 }, '', {})
    await tooDeep({ depth: 0, strict: false }, '{}')
  })

  it('is Infinity by default', async () => {
    for (const depth of [undefined, null, Infinity]) await gives({ depth }, nested(2000), JSON.parse(nested(2000)))
  })

  it('refuses a megabyte of brackets unparsed', async () => {
    await tooDeep({ depth: 20, limit: '2mb', reviver: () => assert.fail('parsed') }, '['.repeat(1e6))
    await tooDeep({ depth: 20, limit: '2mb', reviver: () => assert.fail('parsed') }, '{"a":'.repeat(2e5))
  })

  it('leaves what is no JSON to JSON.parse', async () => {
    for (const text of ['[', '[[', '["', '[1,]', '{"a"', ']', ' ', '{]']) {
      const [plain, shallow] = [await outcomeOfAll(json({ strict: false }), TYPE, text), await outcomeOfAll(json({ strict: false, depth: 2 }), TYPE, text)]
      assert.equal(plain.error.type, 'entity.parse.failed')
      assert.deepEqual(shallow, plain)
    }
  })

  it('comes after strict and verify, and before the reviver and the look for poisoned keys', async () => {
    const strict = await outcomeOfAll(json({ depth: 0 }), TYPE, '"[["')
    assert.equal(strict.error.type, 'entity.parse.failed')
    const verify = await outcomeOfAll(json({ depth: 0, verify: async () => { throw new Error('no') } }), TYPE, '[]')
    assert.equal(verify.error.type, 'entity.verify.failed')
    await tooDeep({ depth: 1, verify: async () => {} }, '[[]]')
    await tooDeep({ depth: 1, onProtoPoisoning: 'error' }, '{"__proto__":{}}')
    await tooDeep({ depth: 1, reviver () { throw new Error('no') } }, '[[]]')
    await gives({ depth: 2, onProtoPoisoning: 'remove' }, '{"__proto__":{},"a":1}', { a: 1 })
    await gives({ depth: 2, reviver: (name, value) => value === 1 ? 2 : value }, '{"a":1}', { a: 2 })
  })

  it('must be a number of zero or more', () => {
    for (const depth of [-1, NaN, -Infinity, '5', '', true, false, {}, [], 5n, Symbol('s')]) {
      assert.throws(() => json({ depth }), { name: 'TypeError', message: 'option depth must be a zero or a positive number' })
    }
  })
})
