'use strict'

const assert = require('node:assert/strict')
const rewriteKeys = require('../../lib/json-keys/escaped-keys')

const MANY = 100 // characters; more than are looked at one by one
const LONG = 10_000 // characters; more than are copied without need

describe('a key with an escape', () => {
  const ROWS = [
    ['{"\\n":1}', true], ['{"a\\\\":1}', true], ['{"\\"" \t\r\n:1}', true], ['["\\n",{"\\u0061":1}]', true],
    [`{"\\"${'x'.repeat(MANY)}\\\\":1}`, true], [`{"\\"${'x'.repeat(MANY)}\\"":1}`, true],
    [`{"${'\\"'.repeat(MANY)}":1}`, true], [`{"a":"\\n${'x'.repeat(MANY)}","\\"":1}`, true],
    ['{}', false], ['["\\n"]', false], ['{"a":"\\n"}', false], ['{"a":"\\":"}', false], ['{"a":"\\\\","b":1}', false],
    ['{"a":"\\"","b":"\\\\\\""}', false],
    [`["\\"${'x'.repeat(MANY)}\\": 1","${'x'.repeat(MANY)}"]`, false], [`{"a":"\\n${'x'.repeat(MANY)}","b":1}`, false],
    ['{"\\nx":1}', true], ['[":\\n"]', false], [`["\\n",${' '.repeat(MANY)}":"]`, false],
    [`["\\n${':'.repeat(MANY)}"]`, false],
    [`{"\\n${'x'.repeat(LONG)}":1}`, true], [`{"\\n"${' '.repeat(LONG)}:1}`, true],
    [`[${'0,'.repeat(LONG)}{"\\n":1},${'0,'.repeat(LONG)}"${'x'.repeat(LONG)}"]`, true],
    [`["\\n"${' '.repeat(LONG)},{"a":1}]`, false], [`{"\\n${'x'.repeat(LONG)}`, false],
    ['"\\', false], ['"\\"', false], ['{"\\":1', false], ['{"\\u0000":1}', true]
  ]
  for (const [text, expected] of ROWS) {
    it(`is ${expected ? 'found' : 'not there'}: ${text.slice(0,
      60)}`, () => assert.equal(rewriteKeys(text) !== null, expected))
  }

  it('may stand for a character that is wider than all others', () => {
    assert.equal(rewriteKeys('{"a\\u8ad6":1}').text, '{"a論":1}')
  })

  it('is found behind another, however long the rest of the text is', () => {
    for (let length = 0; length < MANY; length++) {
      const text = `{"\\n":1,"${'x'.repeat(31)}\\"${'y'.repeat(length)}":1}`
      assert.notEqual(rewriteKeys(text), null, length)
    }
  })
})
