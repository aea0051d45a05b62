'use strict'

const assert = require('node:assert/strict')
const { readFileSync } = require('node:fs')
const { createRequire } = require('node:module')
const vm = require('node:vm')
const { createEngineParse } = require('../../lib/json-keys/json')
const inConfusedEngine = require('../support/confused-engine')
const confusesKeys = require('../support/confuses-keys')
const loadAgain = require('../support/load-again')

const FILE = require.resolve('../../lib/json-keys/json')

const CONFUSED = /^1[34]\./ // V8 of Node 24 and 26; nodejs/node#63785 is open

/** What anybody may send, so that the engine goes wrong where another text has one of its escapes. */
function poison (...firstKeys) {
  return firstKeys.map((key) => JSON.parse(`{"${key}":1,"\\\\":2}`))
}

/** The file once more, with a JSON.parse of its own. */
function inNewContext () {
  const module = { exports: {} }
  vm.runInNewContext(`(function (module, require) {${readFileSync(FILE)}\n})`)(module, createRequire(FILE))
  return module.exports
}

describe('the keys of JSON.parse', () => {
  it(CONFUSED.test(process.versions.v8)
    ? 'are confused by this engine; once they are not, CONFUSED has to tell the versions'
    : 'are right in this engine', () => {
    assert.equal(confusesKeys(), CONFUSED.test(process.versions.v8))
    assert.equal(confusesKeys(inNewContext()), confusesKeys())
  })

  it('stay as they are when the engine is asked', () => {
    for (let i = 0; i < 10; i++) loadAgain(FILE)
    assert.deepEqual(Object.keys(JSON.parse('{"asked before":1,"\\u00e9":2}')), ['asked before', 'é'])
  })

  it('cannot change the answer of the engine', () => {
    const before = confusesKeys()
    const kept = poison('0', '1', 'a', '', '__proto__')
    for (let i = 0; i < 3000; i++) kept.push(...poison(`key ${i}`))
    assert.equal(confusesKeys(loadAgain(FILE)), before)
  })

  it('are right in a poisoned engine', () => {
    const kept = poison('b', 'c')
    const parse = createEngineParse()
    assert.deepEqual([parse('{"b":1,"\\u00e9":2}'), parse('{"c":1,"\\"":{"b":1,"\\n":3}}')],
      [{ b: 1, é: 2 }, { c: 1, '"': { b: 1, '\n': 3 } }])
    assert.equal(kept.length, 2)
  })

  it('are left to an engine that does not confuse them', () => {
    const parse = (text) => text
    const isRepaired = createEngineParse(parse) !== parse
    assert.equal(isRepaired, CONFUSED.test(process.versions.v8))
  })

  it('are repaired in an engine that does', () =>
    inConfusedEngine('json-keys/json.js', (json) => {
      assert.equal(confusesKeys(json), true)
      const parse = json.createEngineParse()
      assert.deepEqual(['[1,"\\n"]', '{"a":"\\n"}', '{"\\u0061":"\\n"}', '{"\\\\":"\\n"}'].map((text) => parse(text)),
        [[1, '\n'], { a: '\n' }, { a: '\n' }, { '\\': '\n' }])
      assert.deepEqual(parse('{"a":1,"\\n":[2]}', (key, value) => value === 2 ? undefined : value),
        { a: 1, '\n': new Array(1) })
    }))
})
