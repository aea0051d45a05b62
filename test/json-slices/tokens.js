'use strict'

const assert = require('node:assert/strict')
const { isBlank, skipBlanks } = require('../../lib/json-keys/text')
const { findStringEnd, nextToken } = require('../../lib/json-slices/tokens')

const charactersWhere = (test) =>
  Array.from({ length: 256 }, (_, byte) => byte).filter(test).map((byte) => String.fromCharCode(byte)).join('')

describe('slices: tokens', () => {
  it('are commas, brackets and braces, and quotes that are not closed', () => {
    assert.equal(charactersWhere((byte) => nextToken(Uint8Array.of(byte), 0, 1) === 0), '",[]{}')
  })

  describe('are found outside of strings', () => {
    const long = 'a'.repeat(100)
    for (const [text, start, expected] of [
      ['', 0, 0], ['1', 0, 1], ['1,', 0, 1], ['1,2]', 2, 3], ['"a,b"', 0, 5], ['"a,b" ,', 0, 6], ['"\\",",]', 0, 5],
      ['"\\\\",]', 0, 4], [`"${long}]" }`, 0, 104], ['"a"  "b,', 0, 5], ['"a\\"', 0, 0], [`1 "${long}`, 0, 2],
      ['"', 0, 0], [':"":""{', 0, 6], ['é€😀[', 0, 9], ['[[', 1, 1], ['[', 1, 1]
    ]) {
      it(`from ${start} on in ${text || 'nothing'}, at ${expected}`, () => {
        const bytes = Buffer.from(text)
        assert.equal(nextToken(bytes, start, bytes.length), expected)
        assert.equal(nextToken(Buffer.from(`${text}]"`), start, bytes.length), expected)
      })
    }
  })

  it('recognises JSON whitespace', () => assert.equal(charactersWhere(isBlank), '\t\n\r '))

  describe('skips white space', () => {
    for (const [text, start, end, expected] of [['', 0, 0, 0], ['a', 0, 1, 0], [' \t\r\na ', 0, 6, 4],
      ['a  b', 1, 4, 3], ['   ', 0, 3, 3], ['   ', 0, 2, 2], ['  ', 1, 1, 1]]) {
      it(`from ${start} to ${end} in ${JSON.stringify(text)}, up to ${expected}`, () =>
        assert.equal(skipBlanks(Buffer.from(text), start, end), expected))
    }
  })

  describe('finds the closing quote of a string', () => {
    const long = 'a'.repeat(100)
    const rows = [
      ['ab"c"', 0, 2], ['"', 0, 0], ['"a"', 1, 2], ['a\\\\"', 0, 3], ['\\\\"', 0, 2], ['\\\\\\\\"', 0, 4],
      ['\\\\"', 2, 2], ['\\"', 1, 1], ['a\\"b"', 0, 4], ['\\\\\\""', 0, 4],
      [`${long}"`, 0, 100], [`${long}\\""`, 0, 102], [`${long}\\\\"`, 0, 102], [`${long}\\"${long}"`, 0, 202]
    ]
    for (const [text, start, expected] of rows) {
      it(`from ${start} on in ${text}, at ${expected}`, () => {
        const bytes = Buffer.from(`${text} "`)
        assert.equal(findStringEnd(bytes, start, text.length), expected)
        assert.equal(findStringEnd(bytes, start, bytes.length), expected)
      })
    }

    for (const [text, expected] of [
      ['', 0], ['a', 1], ['\\"', 2], ['\\\\\\"', 4], ['ab\\', 4], ['ab\\\\', 4], ['\\', 2],
      [long, 100], [`${long}\\`, 102], [`${long}\\"`, 102]
    ]) {
      it(`or, without one, where to go on in ${text || 'nothing'}: at ${expected}`, () => {
        assert.equal(findStringEnd(Buffer.from(text), 0, text.length), expected)
        assert.equal(findStringEnd(Buffer.from(`${text}"`), 0, text.length), expected)
      })
    }
  })
})
