'use strict'

const assert = require('node:assert/strict')
const secure = require('secure-json-parse')
const isSame = require('../support/same')
const PrototypePoisoning = require('../../lib/json-slices/prototype-poisoning')
const { ENDLESS_TASK, PIECE_SIZE, assertAgree, outcomeInChunks, outcomeOf, upTo } = require('../support/slices')

const REFUSED = { name: 'SyntaxError', message: 'Object contains forbidden prototype property' }
const ACTIONS = ['error', 'remove', 'ignore']

describe('slices: PrototypePoisoning', () => {
  const rows = [
    ['onProtoPoisoning', '{"a":1,"__proto__":{"x":7},"b":2}', { a: 1, b: 2 }],
    ['onProtoPoisoning', '[{"__proto__":[1,2],"b":[2]}]', [{ b: [2] }]],
    ['onProtoPoisoning', '{"\\u005f_proto__":[{"a":1}],"b":{}}', { b: {} }],
    ['onConstructorPoisoning', '{"a":1,"constructor":{"prototype":{"x":7}},"b":2}', { a: 1, b: 2 }],
    ['onConstructorPoisoning', '{"constructor":{"b":[1],"prototype":null}}', {}],
    ['onConstructorPoisoning', '[[{"c\\u006fnstructor":{"prototype":[1]},"b":2}]]', [[{ b: 2 }]]]
  ]
  for (const [option, text, rest] of rows) {
    it(`finds the key in ${text}`, async () => {
      for (const size of upTo(text.length)) {
        const { error } = await outcomeInChunks(text, size, { [option]: 'error' })
        assert.deepEqual({ name: error.name, message: error.message }, REFUSED)
        assert.deepEqual(await outcomeInChunks(text, size, { [option]: 'remove' }), { value: rest })
        const other = option === 'onProtoPoisoning' ? 'onConstructorPoisoning' : 'onProtoPoisoning'
        for (const options of [{ [option]: 'ignore' }, {}, { [other]: 'error' }]) {
          assertAgree(await outcomeInChunks(text, size, options), outcomeOf(() => JSON.parse(text)))
        }
      }
    })
  }

  for (const text of ['{"constructor":[{"prototype":1}]}', '{"constructor":{"name":[1]}}', '{"prototype":{"a":1}}',
    '{"constructor":"prototype"}', '["__proto__",["constructor"]]', '{"a":"\\"__proto__\\":1"}', 'null']) {
    it(`accepts ${text}`, async () => {
      for (const size of upTo(text.length)) {
        assert.deepEqual(await outcomeInChunks(text, size,
          { onProtoPoisoning: 'error', onConstructorPoisoning: 'error' }), { value: JSON.parse(text) })
      }
    })
  }

  it('reports that a text is not JSON rather than a poisoned key in it', async () => {
    for (const text of ['{"a":x,"__proto__":1}', '{"__proto__":1,"a":x}', '[1,]', '{',
      `[${'1,'.repeat(50)}{"constructor":{}]`]) {
      for (const size of upTo(10)) {
        assertAgree(await outcomeInChunks(text, size, { onProtoPoisoning: 'error', onConstructorPoisoning: 'remove' }),
          outcomeOf(() => JSON.parse(text)))
      }
    }
  })

  it('accepts a poisoned key in a value that is removed', async () => {
    const options = { onProtoPoisoning: 'remove', onConstructorPoisoning: 'error' }
    assert.deepEqual(await outcomeInChunks('{"__proto__":{"constructor":{"prototype":1}}}', 5, options), { value: {} })
  })

  const filler = `"f":"${'f'.repeat(2 * PIECE_SIZE)}"`
  const overwritten = [
    `{"constructor":1,${filler},"constructor":{"prototype":1}}`,
    `{"constructor":{"prototype":1},${filler},"constructor":1}`,
    `{"constructor":{"prototype":1,${filler}},"constructor":1}`,
    `{"a":{"__proto__":1,${filler}},"a":1}`,
    `{"a":{"__proto__":1},${filler},"a":1}`,
    `{"a":{"__proto__":1},${filler},"b":[{"__proto__":{"constructor":{"prototype":1}}}]}`
  ]
  for (const text of overwritten) {
    it(`has the result of secure-json-parse for ${text.replace(filler, '"f":"..."')}`, async () => {
      for (const protoAction of ACTIONS) {
        for (const constructorAction of ACTIONS) {
          const theirs = outcomeOf(() => secure.parse(text, { protoAction, constructorAction }))
          const options = { onProtoPoisoning: protoAction, onConstructorPoisoning: constructorAction }
          const ours = await outcomeInChunks(text, PIECE_SIZE, options)
          assert.equal(ours.error?.message, theirs.error?.message)
          assert.ok(isSame(ours.value, theirs.value))
        }
      }
    })
  }

  it('does not walk through a value in whose text no such key can be', async () => {
    const poisoning = new PrototypePoisoning({ onProtoPoisoning: 'error', onConstructorPoisoning: 'error' })
    for (const text of ['{"proto":1}', '{"a":"\\n\\\\"}', '["_proto_"]']) poisoning.inspect(text)
    await poisoning.clean(new Proxy({},
      { ownKeys: () => assert.fail('looked at'), has: () => assert.fail('looked at') }), ENDLESS_TASK)
    poisoning.inspect('{"__proto__":1}')
    poisoning.inspect('{"a":1}')
    await assert.rejects(poisoning.clean(JSON.parse('{"__proto__":1}'), ENDLESS_TASK), REFUSED)
  })

  it('may pause after every 1,024 keys', async () => {
    const poisoning = new PrototypePoisoning({ onProtoPoisoning: 'remove' })
    poisoning.inspect('__proto__')
    let pauses = 0
    const task = { pause: async () => { pauses++ } }
    const value = Array.from({ length: 4096 }, () => ({}))
    value.push(JSON.parse('{"__proto__":1,"a":[{"__proto__":2}]}'))
    await poisoning.clean(value, task)
    assert.equal(pauses, 4)
    assert.deepEqual(value.at(-1), { a: [{}] })
  })
})
