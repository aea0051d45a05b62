'use strict'

// What the messages of errors are made of.

const assert = require('node:assert/strict')
const { formatSize, escapeMessage, quote, truncate } = require('../../lib/core/wording')

describe('a message', () => {
  for (const [bytes, text] of [
    [0, '0 bytes'],
    [1, '1 byte'],
    [1023, '1023 bytes'],
    [1024, '1 KB'],
    [1025, '1025 bytes'],
    [1536, '1.5 KB'],
    [102400, '100 KB'],
    [2.25 * 2 ** 20, '2.25 MB'],
    [3 * 2 ** 30, '3 GB'],
    [2 ** 40, '1 TB']
  ]) {
    it(`has ${bytes} bytes as ${text}`, () => assert.equal(formatSize(bytes), text))
  }

  it('quotes text that a client chose', () => {
    assert.equal(quote('a"b\\'), '"a\\"b\\\\"')
    assert.equal(quote('é論😀'), '"é論😀"')
    assert.equal(quote('\n\u001B\u202E\u{E0001}\uD800'), '"\\n\\u001b\\u202e\\udb40\\udc01\\ud800"')
    assert.equal(truncate('\n"\u001B'), '\\n"\\u001b')
  })

  it('escapes what a message of JSON.parse quotes, in its stack as well', () => {
    const error = escapeMessage(new SyntaxError('Unexpected token \u001B, "\u001B\n" is not valid JSON'))
    const message = 'Unexpected token \\u001b, "\\u001b\\n" is not valid JSON'
    assert.equal(error.message, message)
    assert.ok(error.stack.startsWith(`SyntaxError: ${message}\n    at `))
    assert.equal(escapeMessage(new SyntaxError('x'.repeat(1000))).message, `${'x'.repeat(200)}...`)
  })

  it('leaves other errors as they are', () => {
    const frozen = Object.freeze(new SyntaxError('\n'))
    for (const error of [new Error('\n'), frozen, null, new SyntaxError('plain'), { name: 'SyntaxError' }]) {
      const { message } = Object(error)
      assert.equal(escapeMessage(error), error)
      assert.equal(Object(error).message, message)
    }
  })

  it('has at most 100 characters of such a text', () => {
    for (const [length, end] of [[100, ''], [101, '...']]) {
      assert.equal(quote('a'.repeat(length)), `"${'a'.repeat(100)}"${end}`)
      assert.equal(truncate('a'.repeat(length)), `${'a'.repeat(100)}${end}`)
    }
  })
})
