'use strict'

const assert = require('node:assert/strict')
const fc = require('fast-check')
const { fails } = require('../../support/lane')
const parseContent = require('../../support/parse-content')
const isSame = require('../../support/same')
const { json } = require('fast-body-parser')

const JSON_TYPE = 'application/json'
const ACTIONS = ['error', 'remove', 'ignore']
const RUNS = Number(process.env.FUZZ_RUNS) || 250

const FORBIDDEN = 'Object contains forbidden prototype property'

const parse = (options, text) => parseContent(json(options), JSON_TYPE, text)

async function gives (options, text, value) {
  assert.ok(isSame(await parse(options, text), value), text)
}

const refuses = (options, text) => assert.rejects(parse(options, text), {
  name: 'SyntaxError',
  status: 400,
  type: 'entity.parse.failed',
  expose: true,
  body: text,
  message: FORBIDDEN
})

describe('json({ onProtoPoisoning, onConstructorPoisoning })', () => {
  const poisons = [
    // option, text, what is left when it is removed
    ['onProtoPoisoning', '{"a":1,"__proto__":{"x":7}}', { a: 1 }],
    ['onProtoPoisoning', '{"__proto__":null}', {}],
    ['onProtoPoisoning', '{"__proto__" \n:1}', {}],
    ['onProtoPoisoning', '[{"a":[{"__proto__":[],"b":2}]}]', [{ a: [{ b: 2 }] }]],
    ['onProtoPoisoning', '{"\\u005f_pr\\u006Fto\\u005F_":1,"b":2}', { b: 2 }],
    ['onConstructorPoisoning', '{"a":1,"constructor":{"prototype":{"x":7}}}', { a: 1 }],
    ['onConstructorPoisoning', '{"constructor":{"prototype":null,"b":1}}', {}],
    ['onConstructorPoisoning', '[[{"c\\u006fnstructor" :{"prototype":1},"b":2}]]', [[{ b: 2 }]]]
  ]
  for (const [option, text, rest] of poisons) {
    it(`${option} refuses ${text} with error, drops the key with remove, and keeps it with ignore`, async () => {
      await refuses({ [option]: 'error' }, text)
      await gives({ [option]: 'remove' }, text, rest)
      await gives({ [option]: 'ignore' }, text, JSON.parse(text))
      await gives({}, text, JSON.parse(text))
    })
  }

  const harmless = [
    '{"constructor":1}', '{"constructor":null}', '{"constructor":{"name":"Tobi"}}', '{"prototype":{}}',
    '{"a":"__proto__"}',
    '["__proto__","constructor"]', '{"_proto_":1,"__proto":2}', '{"a":"\\"__proto__\\":1"}',
    '{"constructor":[{"prototype":1}]}'
  ]
  for (const text of harmless) {
    it(`neither applies to ${text}`, async () => {
      for (const action of ACTIONS) {
        await gives({ onProtoPoisoning: action, onConstructorPoisoning: action }, text, JSON.parse(text))
      }
    })
  }

  it('each apply without the other', async () => {
    const text = '{"__proto__":1,"constructor":{"prototype":2},"a":3}'
    await gives({ onProtoPoisoning: 'remove', onConstructorPoisoning: 'remove' }, text, { a: 3 })
    await refuses({ onProtoPoisoning: 'error', onConstructorPoisoning: 'remove' }, text)
    await refuses({ onProtoPoisoning: 'remove', onConstructorPoisoning: 'error' }, text)
    await gives({ onProtoPoisoning: 'remove' }, text, { constructor: { prototype: 2 }, a: 3 })
  })

  it('find the same keys as a recursive search, for any JSON', async () => {
    const key = fc.constantFrom('a', '__proto__', 'constructor', 'prototype', 'b')
    const { value } = fc.letrec((tie) => ({
      value: fc.oneof({ maxDepth: 5 }, fc.constantFrom(null, 1, '__proto__', '"constructor":'),
        fc.array(tie('value'), { maxLength: 3 }), tie('object')),
      object: fc.array(fc.tuple(key, tie('value')), { maxLength: 4 }).map(objectOf)
    }))
    const action = fc.constantFrom(...ACTIONS)
    await fc.assert(fc.asyncProperty(value, action, action, async (value, proto, constructor) => {
      const text = JSON.stringify(value)
      const options = { strict: false, onProtoPoisoning: proto, onConstructorPoisoning: constructor }
      let expected
      try {
        expected = clean(value, proto, constructor)
      } catch {
        return refuses(options, text)
      }
      assert.equal(JSON.stringify(await parse(options, text)), JSON.stringify(expected))
    }), { numRuns: RUNS })
  })

  it('find the key however the body arrives', () => fails(json({ onProtoPoisoning: 'error' }), JSON_TYPE,
    '{"__proto__":1}', { status: 400, message: FORBIDDEN }, '{"__proto__":1}'))

  it('work with strict, depth and verify', async () => {
    const guard = { onProtoPoisoning: 'error' }
    const text = '{"__proto__":[[]]}'
    await assert.rejects(parse(guard, '5'), { status: 400, type: 'entity.parse.failed' })
    for (const [text, value] of [['5', 5], ['null', null], ['', {}]]) {
      await gives({ ...guard, strict: false }, text, value)
    }
    await gives(guard, '', {})
    await gives({ ...guard, reviver: 'none' }, '{"a":1}', { a: 1 })
    await assert.rejects(parse({ ...guard, depth: 2 }, text), { type: 'entity.too.deep' })
    await refuses({ ...guard, depth: 3 }, text)
    await assert.rejects(parse({ ...guard, verify () { throw new Error('no') } }, text),
      { status: 403, type: 'entity.verify.failed' })
  })

  it('report a syntax error with the message of JSON.parse', async () => {
    for (const text of ['{', '{"a":1,}', '{"__proto__":', '\ufeff\ufeff1', '\ufeff\ufeff{}', '   ', 'nope']) {
      const [plain, guarded] = await Promise.all([
        {},
        { onProtoPoisoning: 'error', onConstructorPoisoning: 'remove' }
      ].map((options) =>
        parse({ strict: false, ...options }, text).then(() => 'parsed',
          ({ message, status, type, body }) => ({ message, status, type, body }))))
      assert.equal(plain.type, 'entity.parse.failed')
      assert.deepEqual(guarded, plain)
    }
    assert.equal(await parse({ strict: false, onProtoPoisoning: 'error' }, '\ufeff1'), 1)
  })

  it('must be error, remove or ignore', () => {
    for (const name of ['onProtoPoisoning', 'onConstructorPoisoning']) {
      for (const value of ['Error', '', 'throw', true, false, 0, {}, () => 'error', ['error']]) {
        assert.throws(() => json({ [name]: value }),
          { name: 'TypeError', message: `option ${name} must be one of 'error', 'remove' and 'ignore'` })
      }
      for (const value of [undefined, null, ...ACTIONS]) json({ [name]: value })
    }
  })
})

/** `__proto__` as a key of its own; a key that comes again is the last one's. */
function objectOf (fields) {
  const object = {}
  for (const [name, value] of fields) {
    Object.defineProperty(object, name, { value, configurable: true, enumerable: true, writable: true })
  }
  return object
}

/** What the README says of the two options, by recursion. */
function clean (value, proto, constructor) {
  if (value === null || typeof value !== 'object') return value
  if (Array.isArray(value)) return value.map((item) => clean(item, proto, constructor))
  const fields = []
  for (const name of Object.keys(value)) {
    const field = Object.getOwnPropertyDescriptor(value, name).value
    const action = name === '__proto__' ? proto : isPoison(name, field) ? constructor : 'ignore'
    if (action === 'error') throw new Error('poisoned')
    if (action === 'ignore') fields.push([name, field])
  }
  return objectOf(fields.map(([name, field]) => [name, clean(field, proto, constructor)]))
}

function isPoison (name, field) {
  return name === 'constructor' && field !== null && typeof field === 'object' && Object.hasOwn(field, 'prototype')
}
