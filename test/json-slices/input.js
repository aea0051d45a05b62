'use strict'

const assert = require('node:assert/strict')
const Input = require('../../lib/json-slices/input')
const { PIECE_SIZE } = require('../support/slices')

const inputOf = (text) => {
  const input = new Input()
  input.append(Buffer.from(text))
  return input
}

const division = (text, start) => {
  const input = inputOf(text)
  input.start = start
  return input.findDivision()
}

describe('slices: Input', () => {
  it('is empty at first', () => {
    const { bytes, start } = new Input()
    assert.deepEqual([bytes.length, start], [0, 0])
  })

  it('keeps what is not parsed, and adds other bytes', () => {
    const input = inputOf('abcd')
    assert.deepEqual(String(input.bytes), 'abcd')
    input.start = 3
    assert.equal(input.append(Buffer.from('efg')), 3)
    assert.deepEqual([String(input.bytes), input.start], ['defg', 0])
    input.start = 4
    assert.equal(input.append(Buffer.from('h')), 4)
    assert.deepEqual([String(input.bytes), input.start], ['h', 0])
    assert.equal(input.append(Buffer.from('i')), 0)
    assert.deepEqual([String(input.bytes), input.start], ['hi', 0])
  })

  it('copies the bytes', () => {
    const bytes = Buffer.from('ab')
    const input = new Input()
    input.append(bytes)
    bytes.fill('x')
    assert.equal(String(input.bytes), 'ab')
  })

  it('has room for two pieces, and uses the same memory again', () => {
    const input = new Input()
    const { buffer } = input
    assert.equal(buffer.length, 2 * PIECE_SIZE)
    const piece = Buffer.alloc(PIECE_SIZE, 'a')
    input.append(piece)
    input.append(piece)
    for (let left = 5; left > 0; left--) {
      input.start = PIECE_SIZE
      input.append(piece)
      assert.equal(input.bytes.length, 2 * PIECE_SIZE)
    }
    assert.equal(input.buffer, buffer)
  })

  it('grows to twice its size, or to what is needed', () => {
    const input = inputOf('a'.repeat(2 * PIECE_SIZE - 1))
    input.start = 1
    input.append(Buffer.from('bcd'))
    assert.equal(input.buffer.length, 4 * PIECE_SIZE)
    assert.equal(String(input.bytes), `${'a'.repeat(2 * PIECE_SIZE - 2)}bcd`)
    input.append(Buffer.alloc(9 * PIECE_SIZE, 'e'))
    assert.equal(input.buffer.length, 11 * PIECE_SIZE + 1)
    assert.equal(String(input.bytes), `${'a'.repeat(2 * PIECE_SIZE - 2)}bcd${'e'.repeat(9 * PIECE_SIZE)}`)
  })

  it('has a text from its start to any position', () => {
    const input = inputOf('aéb')
    input.start = 1
    assert.deepEqual([input.textTo(4), input.textTo(3), input.textTo(1)], ['éb', 'é', ''])
  })

  it('tells whether there is only white space up to a position, and drops these', () => {
    const input = inputOf('a \n1 ')
    input.start = 1
    assert.deepEqual([1, 2, 3, 4].map((end) => input.isBlankTo(end)), [true, true, true, false])
    input.dropBlanks(2)
    assert.equal(input.start, 2)
    input.dropBlanks(5)
    assert.equal(input.start, 3)
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
        const input = inputOf(`"x":${text}1}`)
        input.start = 4
        assert.equal(input.nameTo(input.bytes.length - 2), name)
      })
    }

    it('of a byte that is not UTF-8 as U+FFFD', () => {
      assert.equal(inputOf([0x22, 0x80, 0x22, 0x3A]).nameTo(4), '\ufffd')
    })

    for (const text of ['', ' ', '"a"', '"a', 'a":', 'a:', '"a"x', '"a"::', '"a":1', '"a":"b"', '"a",', '"a" "b":',
      '"a\n":', '"\t":', '"\\x":', '"\x1f":', ':', '"a":x', '1:', '"a"}', '"a":[', 'xaaa":', '"aaax:', '"a:', '"a\n:',
      '"a\\:']) {
      it(`or throws a SyntaxError for ${JSON.stringify(text)}`, () => {
        const input = inputOf(`"x":${text}"b":1`)
        input.start = 4
        assert.throws(() => input.nameTo(input.bytes.length - 5), SyntaxError)
      })
    }
  })

  describe('finds where an unfinished string can be divided', () => {
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
        assert.equal(division(text, 0), expected)
        for (const before of ['"', '""', '"abcdefg']) {
          assert.equal(division(before + text, before.length), before.length + expected)
        }
      })
    }

    it('or, in an escape that is not valid, anywhere', () => {
      assert.equal(division('a\\é', 0), 2)
      assert.equal(division('\\u00é', 0), 4)
    })

    it('looks at none of the bytes before its start', () => {
      assert.equal(division('\\a', 1), 2)
      assert.equal(division('\\\\', 1), 1)
      assert.equal(division('\\\\n', 1), 3)
      assert.equal(division('\\u00', 1), 4)
      assert.equal(division('é', 1), 2)
    })
  })
})
