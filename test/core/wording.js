'use strict'

// What the messages of errors are made of.

const assert = require('node:assert/strict')
const { multipart } = require('../..')
const multer = require('../../lib/types/multer')
const { formatSize, escapeMessage, quote, truncate } = require('../../lib/core/wording')
const { form, upload } = require('../support/upload')

const FORGED = 'x\r\n2026 INFO admin logged in\u001B[31m\u202E\u2028\u{E0001}\u009B'
// Nothing that begins a line, moves a cursor, hides text or changes its direction.
const PLAIN = /^[^\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]*$/u

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

  const ascii = FORGED.replace(/[\r\n]/g, ' ') // as a header has no line ends
  const send = (body) => (parser) => upload(parser, body)
  // [what a client fills, request, type of the error]
  const texts = [
    ['_charset_', send(form(['_charset_', FORGED.repeat(1000)], ['a', '1'])), 'charset.unsupported'],
    ['the charset of a part', send(form(['a', '1', undefined, `text/plain; charset="${ascii.repeat(50)}"`])),
      'charset.unsupported'],
    ['the name of a field', send(form([`${ascii}${'n'.repeat(300)}`, '1'])), 'multipart.name.too.long'],
    ['the name of a file that is not expected', send(form([ascii, '1', ascii])), 'multipart.file.unexpected']
  ]
  for (const [what, sendTo, type] of texts) {
    it(`has nothing of ${what} that forges a line`, async () => {
      const { error } = await sendTo(multipart({ files: false }))
      assert.equal(error.type, type)
      assert.match(error.message, PLAIN)
      assert.ok(error.message.length < 800, `${error.message.length} characters`)
    })
  }

  it('has at most 100 characters of the charset of a part, in the drop-in for multer', async () => {
    const { error } = await upload(multer().any(),
      form(['a', '1', undefined, `text/plain; charset=${'x'.repeat(5000)}`]))
    assert.deepEqual([error.type, error.message],
      ['charset.unsupported', `unsupported charset "${'X'.repeat(100)}..."`])
  })
})
