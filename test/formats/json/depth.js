'use strict'

const assert = require('node:assert/strict')
const fc = require('fast-check')
const { isDeeperThan } = require('../../../lib/formats/json/parse')
const { fails, succeeds } = require('../../support/lane')
const parseContent = require('../../support/parse-content')
const { json } = require('fast-body-parser')

const TYPE = 'application/json'
const RUNS = Number(process.env.FUZZ_RUNS) || 500

/** By recursion, over what JSON.parse makes of the text. */
function depthOf (value) {
  if (value === null || typeof value !== 'object') return 0
  return 1 + Math.max(0, ...Object.values(value).map(depthOf))
}

/** The least depth that the text is not deeper than. */
function allowed (text) {
  let depth = 0
  while (isDeeperThan(text, depth)) depth++
  return depth
}

const tricky = fc.array(fc.constantFrom('[', ']', '{', '}', '"', '\\', '\\"', ',', ':', 'a', '\n', '\u2028', '😀'),
  { maxLength: 8 }).map((parts) => parts.join(''))
const { value } = fc.letrec((tie) => ({
  value: fc.oneof({ maxDepth: 12, withCrossShrink: true }, fc.oneof(tricky, fc.integer(), fc.constantFrom(null, true)),
    fc.array(tie('value'), { maxLength: 4 }), fc.dictionary(tricky, tie('value'), { maxKeys: 4 }))
}))

describe('isDeeperThan', () => {
  it('finds the depth that a recursive count finds, for any JSON', () => {
    fc.assert(fc.property(value, fc.constantFrom(undefined, 2, '\t'), (value, indent) => {
      assert.equal(allowed(JSON.stringify(value, null, indent)), depthOf(value))
    }), { numRuns: RUNS })
  })

  const rows = [
    ['{"a":[{}]}', 3], ['["\\"[["]', 1], ['["\\\\",[]]', 2], ['["\\\\\\"[["]', 1],
    // Not JSON:
    ['[[]][[]]', 2], ['"\\"', 0], ['"\\\\"[', 1], ['["', 1], ['"[', 0], ['', 0], [']]][[', 0]
  ]
  for (const [text, depth] of rows) {
    it(`finds ${depth} levels in ${JSON.stringify(text)}`, () => assert.equal(allowed(text), depth))
  }

  describe('reads each of a million characters a few times at most', () => {
    const MILLION = 1e6
    const texts = {
      'a string of escaped quotes that does not end': `"${'\\"'.repeat(MILLION / 2)}`,
      'a string of backslashes, then an escaped quote': `"${'\\'.repeat(MILLION + 1)}"`,
      'one string that does not end': `"${'['.repeat(MILLION)}`
    }
    for (const [what, text] of Object.entries(texts)) {
      it(what, () => {
        const seen = new CountedText(text)
        isDeeperThan(seen, Infinity)
        assert.ok(seen.looks <= 4 * text.length, `${seen.looks} looks at ${text.length} characters`)
      })
    }
  })
})

describe('json({ depth })', () => {
  const nested = (depth) => '['.repeat(depth) + ']'.repeat(depth)
  const parse = (options, text) => parseContent(json(options), TYPE, text)
  const gives = async (options, text, value) => assert.deepEqual(await parse(options, text), value)
  const tooDeep = (options, text) => assert.rejects(parse(options, text), {
    name: 'BadRequestError',
    status: 400,
    type: 'entity.too.deep',
    message: 'the JSON exceeded the depth',
    expose: true,
    depth: options.depth,
    body: text
  })

  it('applies however the body arrives', async () => {
    await succeeds(json({ depth: 2 }), TYPE, '{"a":[1,"]"]}', { a: [1, ']'] })
    await fails(json({ depth: 1 }), TYPE, '{"a":[1,"]"]}', { status: 400, type: 'entity.too.deep' }, '{"a":[1,"]"]}')
  })

  for (const [depth, text] of [
    [1, '[]'], [1, '{"a":"[["}'], [3, '[{"a":{}},[]]'], [1000, nested(1000)]
  ]) {
    it(`accepts ${depth} levels and refuses one less than that: ${text.slice(0, 20)}`, async () => {
      await gives({ depth }, text, JSON.parse(text))
      await tooDeep({ depth: depth - 1 }, text)
    })
  }

  it('accepts only primitives and empty bodies with depth: 0, and anything by default', async () => {
    await gives({ depth: 0, strict: false }, '"[]"', '[]')
    await gives({ depth: 0 }, '', {})
    for (const depth of [undefined, null, Infinity]) await gives({ depth }, nested(1000), JSON.parse(nested(1000)))
  })

  it('refuses a megabyte of brackets without parsing it', () =>
    tooDeep({ depth: 20, limit: '2mb', reviver: () => assert.fail('parsed') }, '['.repeat(1e6)))

  it('leaves syntax errors to JSON.parse', async () => {
    for (const text of ['[', '[[', '["', '[1,]', '{"a"', ']', ' ', '{]']) {
      const plain = await parse({ strict: false }, text).catch((error) => error)
      assert.equal(plain.type, 'entity.parse.failed')
      await assert.rejects(parse({ strict: false, depth: 2 }, text), { ...plain, message: plain.message })
    }
  })

  it('is checked after strict and verify, and before the reviver and poisoned keys', async () => {
    await assert.rejects(parse({ depth: 0 }, '"[["'), { type: 'entity.parse.failed' })
    const verify = async () => { throw new Error('no') }
    await assert.rejects(parse({ depth: 0, verify }, '[]'), { type: 'entity.verify.failed' })
    await tooDeep({ depth: 1, verify: async () => {} }, '[[]]')
    await tooDeep({ depth: 1, onProtoPoisoning: 'error' }, '{"__proto__":{}}')
    await tooDeep({ depth: 1, reviver () { throw new Error('no') } }, '[[]]')
    await gives({ depth: 2, onProtoPoisoning: 'remove' }, '{"__proto__":{},"a":1}', { a: 1 })
    await gives({ depth: 2, reviver: (name, value) => value === 1 ? 2 : value }, '{"a":1}', { a: 2 })
  })

  it('throws a TypeError for a depth that is not a whole number of levels, or Infinity', () => {
    for (const depth of [-1, 1.5, 0.5, NaN, -Infinity, '5', '', true, false, {}, [], 5n, Symbol('s')]) {
      assert.throws(() => json({ depth }),
        { name: 'TypeError', message: 'option depth must be zero, a positive integer or Infinity' })
    }
  })
})

/** A text that counts how many characters are read. */
class CountedText {
  constructor (text) {
    this.text = text
    this.length = text.length
    this.looks = 0
  }

  charCodeAt (index) {
    this.looks++
    return this.text.charCodeAt(index)
  }

  indexOf (wanted, from) {
    const found = this.text.indexOf(wanted, from)
    this.looks += (found === -1 ? this.length : found + 1) - from
    return found
  }
}
