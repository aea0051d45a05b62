'use strict'

const assert = require('node:assert/strict')
const repair = require('../../lib/json-keys/repair')
const { reference } = require('../support/json-reference')
const { withOwnModules } = require('../support/own-modules')
const isSame = require('../support/same')

/** Runs `act` where an object has these properties. */
function withProperties (object, properties, act) {
  const before = Object.keys(properties).map((name) => [name, Object.getOwnPropertyDescriptor(object, name)])
  Object.defineProperties(object, properties)
  try {
    return act()
  } finally {
    for (const [name, descriptor] of before) {
      if (descriptor === undefined) delete object[name]
      else Object.defineProperty(object, name, descriptor)
    }
  }
}

const parse = repair((text, reviver) => JSON.parse(text, reviver))

describe('texts whose keys are rewritten', () => {
  // random-keys.js draws more
  const VALID = [
    '{"\\u00e9":1}', '{"a\\/b":1}', '{"\\b\\f\\n\\r\\t":1}', '{"\\ud83d":1,"\\ude00":2}',
    '{"\\u003a":1,"\\u002c":2,"\\u005d":3,"\\u007d":4,"\\u0020":5}', '{"b":1,"\\u0031":2,"\\u0030":3,"\\"":4,"0":5}',
    '{"\\u005f_proto__":{"\\"":{}},"\\"":2}', '{"__proto__":{"\\"":1},"constructor":{"\\n":2},"toString":3}',
    ' {\n"\\u0061" \t\r\n: 1 , "\\"" :2 } ', '{"v":"\\"}:","\\u0061":":"}', '{"undefined":{"a\\u007f":1},"\\n":2}',
    '{"\x7fx":1,"\\u007fx":2,"\x7fx":3,"\\"":4}', '{"\x7f":1,"\\n\x7f\\u0080a":2,"\x7f\\u0080":3}',
    `{"\\n${'x'.repeat(100)}":"\\n${'x'.repeat(100)}\\"${'y'.repeat(100)}"}`,
    `{"\\n":"${'\\\\'.repeat(50)}","\\t":"${'\\\\'.repeat(50)}\\"${'\\\\'.repeat(50)}"}`,
    `{"\x7f":1,${'{"\\n\x7f\x7f":'.repeat(50).slice(1)}1${'}'.repeat(50)}`,
    `{"\\n${'x'.repeat(100)}\\t${'\x80'.repeat(100)}":1,"\\u0061${'x'.repeat(100)}\\u0062":"\\n"}`
  ]

  const many = Array.from({ length: 1200 }, (_, index) => `"\\"${index}":${index}`)
  const others = Array.from({ length: 1100 }, (_, index) => `"\\"\\\\${index}\\u007f":${index},"\\u00e9${index}":1`)
  const endings = Array.from({ length: 0x80 }, (_, index) => `"a${String.fromCharCode(0x80 + index)}":${index}`)
  const blank = ' \n\r\t'.repeat(50)
  const numbers = '12345,'.repeat(1000)
  const long = 'x'.repeat(10_000)
  const quotes = `"${'\\"'.repeat(200)}`
  const LONG = [
    // many keys, and the same ones again
    `{"\\n":0,${many},"\\u000a":1,${many},"\\n":{${many},"\\"0":[]}}`,
    `[{${others}},{"\\"\\\\1099\\u007F":1}]`,
    `{${quotes}":1,${quotes}\\\\":2,${quotes}":3,"\\"":4,${quotes}\\u005c":5}`,
    // any character at the end of one
    `{"\x7f":1,"\\n":2,${endings}}`,
    // white space before what tells a key from a value
    `{"\\n"${blank}:1}`, `{"a":"\\n"${blank},"b":1}`, `["\\n"${blank}]`,
    `{"\\u0061"${blank}:{"\\u0062":"\\n"${blank}}}`,
    // long parts without backslashes before, between and behind them
    `[${numbers}{"\\n":1},${numbers}{"\\u0061":2,"\\u540d":3},${numbers}"${long}","\\n${long}",{"a":4}]`,
    `[${numbers}"\\n${long}\\"${long}",${numbers}{"${long}\\t":1,"\\u0061${long}":2}]`,
    `{"\\""${' '.repeat(10_000)}:1}`,
    `{"a":"${long}","\x7f":1,"\\"${long}":2,"\\u540d\\n\\t\\r":3,"${'\\n'.repeat(40)}":4}`
  ]

  for (const text of [...VALID, ...LONG]) {
    it(`give what they say: ${JSON.stringify(text.slice(0, 70))}`, () => {
      const value = parse(text)
      assert.ok(isSame(value, reference(text)), JSON.stringify(value))
      assert.ok(isSame(parse(text, (key, value) => value), reference(text)))
      assert.throws(() => parse(`${text}]`), SyntaxError)
    })
  }

  const INVALID = [
    '{"\\x":1}', '{"\\u00g0":1}', '{"\\n\n":1}', '{"\\"', '\\', '\\":1', '{"\\"":1}}', '{"\\u0061":',
    '{"\\é":1}', '{"\\u\x80061":1}', '{"a"\\u003a1,":":2}', '{"a":1\\u002c"b":":"}', '["a"\\u005d":1',
    '{"a":"b"\\u007d":1}', '{"\\n": \\u003a":1}', '{"a"\n\\u0020:1,":2}', '{"\\u0061":1,}',
    '["a",\\u0031,":","b"]', '[{"a":"b"},\\u0031,":","b"]',
    ...['\n', '\r', '\t', ' '].map((blank) => `{"a"${blank}\\u003a1,":":2}`)
  ]
  for (const text of INVALID) {
    it(`are refused with the message of JSON.parse: ${text.replaceAll('\n', '\\n')}`, () => {
      let expected
      assert.throws(() => JSON.parse(text), (error) => { expected = error; return true })
      for (const reviver of [undefined, (key, value) => value]) {
        assert.throws(() => parse(text, reviver), { name: 'SyntaxError', message: expected.message })
      }
    })
  }

  describe('where the app has replaced JSON.parse', () => {
    const { parse: original } = JSON
    afterEach(() => { JSON.parse = original })

    it('are given to it once, with the keys that are meant', () => {
      const texts = []
      JSON.parse = (text, ...more) => {
        texts.push(text)
        return original(text, ...more)
      }
      const long = 'x'.repeat(100)
      assert.deepEqual(parse(`{"\\u0061":"\\n","${long}\\u0062":1}`), { a: '\n', [`${long}b`]: 1 })
      assert.deepEqual(parse('{"\\u0020":1}'), { ' ': 1 })
      assert.deepEqual(texts, [`{"a":"\\n","${long}b":1}`, '{" ":1}'])
      for (const reviver of [undefined, (key, value) => value]) {
        assert.deepEqual(parse('{"\\n":[1]}', reviver), { '\n': [1] })
      }
      assert.equal(texts.length, 4)
    })

    it('are left to it when they are not JSON', () => {
      JSON.parse = () => 'lenient'
      const long = 'x'.repeat(100)
      for (const text of ['{"\\x":1}', `{"${long}\\x":1}`, '{"a"\\u003a1,":":2}', '\\":1', '{"\\u00g0":1}',
        '{"\\n\n":1}', '{"\\n"\\n":1}']) {
        assert.equal(parse(text), 'lenient')
      }
    })
  })

  it('are not left to the engine where there is no memory to rewrite them', () => {
    const fault = new RangeError('Array buffer allocation failed')
    assert.throws(() => parse({ indexOf () { throw fault } }), fault)
  })

  it('are right where there is no Buffer, as in browsers', () => {
    const texts = [...VALID, `{"\\n${'x\\"'.repeat(10_000)}":"${'y'.repeat(10_000)}"}`]
    const values = withProperties(globalThis, { Buffer: { value: undefined, configurable: true } }, () =>
      withOwnModules(() => {
        const portable = require('../../lib/json-keys/repair')((text, reviver) => JSON.parse(text, reviver))
        return texts.map((text) => portable(text))
      }))
    texts.forEach((text, index) => assert.ok(isSame(values[index], reference(text)), text.slice(0, 70)))
  })

  it('may be 100,000 levels deep', () => {
    const levels = 100_000
    let value = parse('{"\\"":[{"\\u0061":'.repeat(levels / 2) + '1' + '}]}'.repeat(levels / 2))
    for (let i = 0; i < levels / 2; i++) value = value['"'][0].a
    assert.equal(value, 1)
  })

  it('are parsed where Object.prototype and Array.prototype have setters', () => {
    const setter = { set: () => assert.fail('the setter was called'), configurable: true }
    for (const others of [0, 200]) {
      const keys = Array.from({ length: others }, (_, index) => `"${index}`)
      const more = keys.map((key) => `,${JSON.stringify(key)}:6`).join('')
      const text = `{"\\"":1,"x":2,"toString":3,"\\u0079":4,"__proto__":5${more}}`
      const value = withProperties(Object.prototype, { x: setter, y: setter }, () => parse(text))
      assert.deepEqual(Object.keys(value), ['"', 'x', 'toString', 'y', '__proto__', ...keys])
    }
    assert.deepEqual(withProperties(Array.prototype, { 1: setter }, () => parse('{"\\"":[1,2,3]}')), { '"': [1, 2, 3] })
  })

  describe('with a reviver', () => {
    // Names that need no escape take the place of those that do, so that this engine is right about them.
    const NAMES = { '\\"': 'q', '\\n': 'n', '\\\\': 'b' }
    const hasSource = JSON.parse('1', (key, value, context) => context?.source) === '1' // Node 22
    const withNames = (text) => text.replace(/\\["n\\]/g, (escape) => NAMES[escape])
    const texts = ['{"a":1,"\\"":[1.50,"\\u0065",null,true],"\\n":{"\\\\":{},"x":-0},"5":[]}',
      '[{"\\"":1,"\\n":2},{"\\"":3,"\\"":4,"\\n":{"a":"5"}}]']

    /** Keeps each value, and changes the object that has it. */
    const changing = (change) => function (key, value) {
      change(this, key)
      return value
    }

    /** The same for each property behind this one. */
    const changingSiblings = (change) => changing((holder, key) => {
      const names = Object.keys(holder)
      for (const name of names.slice(names.indexOf(key) + 1)) change(holder, name)
    })

    /** Each changes what is not visited yet, or returns something else than it gets. */
    const REVIVERS = {
      'deletes all': () => undefined,
      'deletes numbers': (key, value) => typeof value === 'number' ? undefined : value,
      'replaces objects': (key, value) => typeof value === 'object' && value !== null ? { key } : value,
      'changes siblings': changingSiblings((holder, name) => { holder[name] = 7 }),
      'adds objects': changingSiblings((holder, name) => { holder[name] = { new: 1, list: [2] } }),
      'makes arrays shorter': changing((holder) => { if (Array.isArray(holder)) holder.length = 1 }),
      'adds functions': changing((holder) => { if ('x' in holder) holder.x = Object.assign(() => {}, { y: 1 }) }),
      'freezes holders': changing((holder) => { Object.freeze(holder) }),
      throws: () => { throw new RangeError('of the reviver') }
    }
    for (const [title, reviver] of Object.entries(REVIVERS)) {
      it(`that ${title}, are what JSON.parse gives`, () => {
        for (const text of texts) {
          assert.deepEqual(withNames(trace(text, parse, reviver)), trace(withNames(text), JSON.parse, reviver))
        }
      })
    }

    it('that has a call of its own, are revived by it all the same', () => {
      const reviver = Object.assign((key, value) => value === 1 ? 2 : value, { call: null })
      assert.deepEqual(parse('{"\\"":1}', reviver), { '"': 2 })
    })

    it('have the sources that the engine gives', () => {
      const withSources = repair((text, reviver) => JSON.parse(text, function (key, value) {
        return reviver.call(this, key, value, typeof value === 'object' ? {} : { source: `of ${value}` })
      }))
      const seen = []
      withSources('{"\\"":1,"\\n":[2]}', (key, value, context) => { seen.push([key, context]); return value })
      assert.deepEqual(seen, [['"', { source: 'of 1' }], ['0', { source: 'of 2' }], ['\n', {}], ['', {}]])
    })

    /** All that a reviver sees, and what comes of it. */
    function trace (text, parse, reviver) {
      const seen = []
      const show = (value) =>
        JSON.stringify(value, (key,
          value) => Object.is(value, -0) ? '-0' : typeof value === 'function' ? Object.entries(value) : value)
      try {
        const value = parse(text, function (key, value, context) {
          if (seen.length === 1000) throw new Error('endless')
          seen.push([show(this), JSON.stringify(key), show(value),
            hasSource ? `${Object.keys(context)} ${context.source}` : ''].join(' '))
          return reviver.call(this, key, value)
        })
        seen.push(show(value))
      } catch (error) {
        seen.push(String(error))
      }
      return seen.join('\n')
    }
  })
})
