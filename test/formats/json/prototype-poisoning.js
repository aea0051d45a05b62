'use strict'

const assert = require('node:assert/strict')
const { fails } = require('../../support/lane')
const parseContent = require('../../support/parse-content')
const isSame = require('../../support/same')
const { json } = require('fast-body-parser')

const JSON_TYPE = 'application/json'
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
    ['onProtoPoisoning', '[{"a":[{"__proto__":[],"b":2}]}]', [{ a: [{ b: 2 }] }]],
    ['onProtoPoisoning', '{"\\u005f_pr\\u006Fto\\u005F_":1,"b":2}', { b: 2 }],
    ['onConstructorPoisoning', '{"a":1,"constructor":{"prototype":{"x":7}}}', { a: 1 }],
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

  for (const text of [
    '{"constructor":1}', '{"constructor":{"name":"Tobi"}}', '{"constructor":[{"prototype":1}]}',
    '{"a":"\\"__proto__\\":1"}'
  ]) {
    it(`neither applies to ${text}`, () =>
      gives({ onProtoPoisoning: 'error', onConstructorPoisoning: 'error' }, text, JSON.parse(text)))
  }

  it('each apply without the other', async () => {
    const text = '{"__proto__":1,"constructor":{"prototype":2},"a":3}'
    await gives({ onProtoPoisoning: 'remove', onConstructorPoisoning: 'remove' }, text, { a: 3 })
    await refuses({ onProtoPoisoning: 'error', onConstructorPoisoning: 'remove' }, text)
    await refuses({ onProtoPoisoning: 'remove', onConstructorPoisoning: 'error' }, text)
    await gives({ onProtoPoisoning: 'remove' }, text, { constructor: { prototype: 2 }, a: 3 })
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
      for (const value of ['Error', '', true, 0, {}, ['error']]) {
        assert.throws(() => json({ [name]: value }),
          { name: 'TypeError', message: `option ${name} must be one of 'error', 'remove' and 'ignore'` })
      }
      for (const value of [undefined, null, 'error', 'remove', 'ignore']) json({ [name]: value })
    }
  })
})
