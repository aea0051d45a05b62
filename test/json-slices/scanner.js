'use strict'

const assert = require('node:assert/strict')
const { isBlank, skipBlanks } = require('../../lib/json-keys/text')
const { findQuote } = require('../../lib/json-slices/quote')
const { IS_STRUCTURAL, findCut, readName } = require('../../lib/json-slices/scanner')

const charactersWhere = (test) =>
  Array.from({ length: 256 }, (_, byte) => byte).filter(test).map((byte) => String.fromCharCode(byte)).join('')

describe('slices: the scanner', () => {
  it('knows the bytes that structure JSON', () => assert.equal(charactersWhere((byte) => IS_STRUCTURAL[byte] === 1),
    '",[]{}'))

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
        assert.equal(findQuote(bytes, start, text.length), expected)
        assert.equal(findQuote(bytes, start, bytes.length), expected)
      })
    }

    for (const [text, expected] of [
      ['', 0], ['a', 1], ['\\"', 2], ['\\\\\\"', 4], ['ab\\', 4], ['ab\\\\', 4], ['\\', 2],
      [long, 100], [`${long}\\`, 102], [`${long}\\"`, 102]
    ]) {
      it(`or, without one, where to go on in ${text || 'nothing'}: at ${expected}`, () => {
        assert.equal(findQuote(Buffer.from(text), 0, text.length), expected)
        assert.equal(findQuote(Buffer.from(`${text}"`), 0, text.length), expected)
      })
    }
  })

  describe('reads the name', () => {
    const rows = [
      ['"a":', 'a'], ['"":', ''], ['"a b~":', 'a b~'], [' \n"a":', 'a'], ['"a" :', 'a'], ['"a":\t', 'a'],
      [' "a" : ', 'a'],
      ['"é":', 'é'], ['"\u007f":', '\u007f'], ['"日本😀":', '日本😀'], ['"\\"":', '"'], ['"a\\u0041\\n":', 'aA\n'],
      ['"__proto__":', '__proto__'], ['"1":', '1'], ['":":', ':'], ['"a\\":":', 'a":']
    ]
    for (const [text, name] of rows) {
      it(`of ${JSON.stringify(text)}`, () => {
        const bytes = Buffer.from(`"x":${text}1}`)
        assert.equal(readName(bytes, 4, bytes.length - 2), name)
      })
    }

    it('of a byte that is not UTF-8 as U+FFFD', () => {
      const bytes = Buffer.from([0x22, 0x80, 0x22, 0x3A])
      assert.equal(readName(bytes, 0, 4), '\ufffd')
    })

    for (const text of ['', ' ', '"a"', '"a', 'a":', 'a:', '"a"x', '"a"::', '"a":1', '"a":"b"', '"a",', '"a" "b":',
      '"a\n":', '"\t":', '"\\x":', '"\x1f":', ':', '"a":x', '1:', '"a"}', '"a":[', 'xaaa":', '"aaax:', '"a:', '"a\n:',
      '"a\\:']) {
      it(`or throws a SyntaxError for ${JSON.stringify(text)}`, () => {
        const bytes = Buffer.from(`"x":${text}"b":1`)
        assert.throws(() => readName(bytes, 4, bytes.length - 5), SyntaxError)
      })
    }
  })

  describe('finds where an unfinished string can be cut', () => {
    const rows = [
      ['abc', 3], ['', 0], ['a\\n', 3], ['a\\', 1], ['a\\\\', 3], ['a\\\\\\', 3], ['\\', 0], ['\\\\', 2],
      ['\\\\\\\\\\', 4],
      ['a\\u', 1], ['a\\u0', 1], ['a\\u00', 1], ['a\\u004', 1], ['a\\u0041', 7], ['a\\u0041b', 8], ['\\u0041\\u00', 6],
      ['\\u0041\\', 6],
      ['a\\\\u00', 6], ['a\\\\\\u00', 3], ['\\\\u', 3], ['u', 1], ['uuuuu', 5], ['\\nu', 3], ['\\"', 2],
      ['\\ud83d\\ude00', 12], ['\\ud83d\\ude0', 6],
      ['aé', 1], ['éa', 3], ['日', 0], ['a日b', 5], ['a😀', 1]
    ]
    for (const [text, expected] of rows) {
      it(`of ${text || 'nothing'} at ${expected}`, () => {
        assert.equal(findCut(Buffer.from(text), 0), expected)
        for (const before of ['"', '""', '"abcdefg']) {
          assert.equal(findCut(Buffer.from(before + text), before.length), before.length + expected)
        }
      })
    }

    it('or, in an escape that is not valid, anywhere', () => {
      assert.equal(findCut(Buffer.from('a\\é'), 0), 2)
      assert.equal(findCut(Buffer.from('\\u00é'), 0), 4)
    })

    it('looks at none of the bytes before its start', () => {
      assert.equal(findCut(Buffer.from('\\a'), 1), 2)
      assert.equal(findCut(Buffer.from('\\\\'), 1), 1)
      assert.equal(findCut(Buffer.from('\\\\n'), 1), 3)
      assert.equal(findCut(Buffer.from('\\u00'), 1), 4)
      assert.equal(findCut(Buffer.from('é'), 1), 2)
    })
  })
})
