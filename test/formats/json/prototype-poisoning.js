'use strict'

const assert = require('node:assert/strict')
const { execFileSync } = require('node:child_process')
const path = require('node:path')
const { Readable } = require('node:stream')
const fc = require('fast-check')
const { outcomeOfAll, succeeds } = require('../../support/lane')
const { typed } = require('../../support/outcome')
const { json } = require('fast-body-parser')

const JSON_TYPE = 'application/json'
const ACTIONS = ['error', 'remove', 'ignore']
const RUNS = Number(process.env.FUZZ_RUNS) || 250

/** Parses without a connection. */
function parse (middleware, type, text) {
  const bytes = Buffer.from(text)
  const req = Object.assign(Readable.from([bytes]), {
    headers: { 'content-type': type, 'content-length': String(bytes.length) }
  })
  return new Promise((resolve, reject) => middleware(req, {}, (error) => error ? reject(error) : resolve(req.body)))
}

const gives = (middleware, text, value) => succeeds(middleware, JSON_TYPE, text, value)

async function refuses (middleware, text, message) {
  const { error, body, hasBody } = await outcomeOfAll(middleware, JSON_TYPE, text)
  assert.deepEqual([error.status, error.type, error.constructor, error.expose],
    [400, 'entity.parse.failed', 'SyntaxError', true])
  assert.deepEqual(error.own.body.value, typed(text))
  if (message !== undefined) assert.equal(error.message, message)
  assert.deepEqual([body, hasBody], ['undefined', true])
}

describe('json({ onProtoPoisoning, onConstructorPoisoning })', () => {
  const FORBIDDEN = 'Object contains forbidden prototype property'

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
      await refuses(json({ [option]: 'error' }), text, FORBIDDEN)
      await gives(json({ [option]: 'remove' }), text, rest)
      await gives(json({ [option]: 'ignore' }), text, JSON.parse(text))
      await gives(json(), text, JSON.parse(text))
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
        await gives(json({ onProtoPoisoning: action, onConstructorPoisoning: action }), text, JSON.parse(text))
      }
    })
  }

  it('each apply without the other', async () => {
    const text = '{"__proto__":1,"constructor":{"prototype":2},"a":3}'
    await gives(json({ onProtoPoisoning: 'remove', onConstructorPoisoning: 'remove' }), text, { a: 3 })
    await refuses(json({ onProtoPoisoning: 'error', onConstructorPoisoning: 'remove' }), text, FORBIDDEN)
    await refuses(json({ onProtoPoisoning: 'remove', onConstructorPoisoning: 'error' }), text, FORBIDDEN)
    await gives(json({ onProtoPoisoning: 'remove' }), text, { constructor: { prototype: 2 }, a: 3 })
  })

  it('find the same keys as a recursive search, for any JSON', async () => {
    const key = fc.constantFrom('a', '__proto__', 'constructor', 'prototype', 'b')
    const { value } = fc.letrec((tie) => ({
      value: fc.oneof({ maxDepth: 5 }, fc.constantFrom(null, 1, '__proto__', '"constructor":'),
        fc.array(tie('value'), { maxLength: 3 }), tie('object')),
      object: fc.array(fc.tuple(key, tie('value')), { maxLength: 4 }).map(objectOf)
    }))
    const action = fc.constantFrom(...ACTIONS)
    await fc.assert(
      fc.asyncProperty(value, action, action, async (value, proto, constructor) => {
        const text = JSON.stringify(value)
        const middleware = json({ strict: false, onProtoPoisoning: proto, onConstructorPoisoning: constructor })
        let expected
        try {
          expected = clean(value, proto, constructor)
        } catch {
          await assert.rejects(parse(middleware, JSON_TYPE, text), {
            status: 400,
            type: 'entity.parse.failed',
            message: FORBIDDEN
          })
          return
        }
        assert.equal(JSON.stringify(await parse(middleware, JSON_TYPE, text)), JSON.stringify(expected))
      }),
      { numRuns: RUNS }
    )
  })

  it('work with strict, depth and verify', async () => {
    const guard = { onProtoPoisoning: 'error' }
    await refuses(json(guard), '5')
    await gives(json({ ...guard, strict: false }), '5', 5)
    await gives(json({ ...guard, strict: false }), 'null', null)
    await gives(json(guard), '', {})
    await gives(json({ ...guard, strict: false }), '', {})
    await gives(json({ ...guard, reviver: 'none' }), '{"a":1}', { a: 1 })
    const deep = await outcomeOfAll(json({ ...guard, depth: 2 }), JSON_TYPE, '{"__proto__":[[]]}')
    assert.equal(deep.error.type, 'entity.too.deep')
    await refuses(json({ ...guard, depth: 3 }), '{"__proto__":[[]]}', FORBIDDEN)
    const unverified = await outcomeOfAll(json({ ...guard, verify () { throw new Error('no') } }), JSON_TYPE,
      '{"__proto__":1}')
    assert.deepEqual([unverified.error.status, unverified.error.type], [403, 'entity.verify.failed'])
  })

  it('cannot be combined with a reviver, whose result cannot be searched', () => {
    for (const [name, action] of [['onProtoPoisoning', 'error'], ['onConstructorPoisoning', 'remove']]) {
      assert.throws(() => json({ [name]: action, reviver () {} }),
        { name: 'TypeError', message: `option reviver cannot be combined with ${name}` })
      json({ [name]: 'ignore', reviver () {} })
    }
  })

  it('report a syntax error with the message of JSON.parse', async () => {
    for (const text of ['{', '{"a":1,}', '{"__proto__":', '\ufeff\ufeff1', '\ufeff\ufeff{}', '   ', 'nope']) {
      const [plain, guarded] = await Promise.all([
        {},
        { onProtoPoisoning: 'error', onConstructorPoisoning: 'remove' }
      ].map((options) =>
        parse(json({ strict: false, ...options }), JSON_TYPE, text).then(() => 'parsed',
          ({ message, status, type, body }) => ({ message, status, type, body }))))
      assert.equal(plain.type, 'entity.parse.failed')
      assert.deepEqual(guarded, plain)
    }
    assert.equal(await parse(json({ strict: false, onProtoPoisoning: 'error' }), JSON_TYPE, '\ufeff1'), 1)
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

  it('load secure-json-parse only where they are given', () => {
    const isLoaded = (options) => {
      const isLoaded = "Object.keys(require.cache).some((file) => file.includes('secure-json-parse'))"
      const script = `require('.').json(${options}); console.log(${isLoaded})`
      return JSON.parse(execFileSync(process.execPath, ['--eval', script],
        { cwd: path.join(__dirname, '../../../'), env: { ...process.env, NODE_V8_COVERAGE: '' } }))
    }
    assert.equal(isLoaded('{}'), false)
    assert.equal(isLoaded('{ onProtoPoisoning: "ignore", onConstructorPoisoning: "ignore" }'), false)
    assert.equal(isLoaded('{ onConstructorPoisoning: "remove" }'), true)
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
