'use strict'

const assert = require('node:assert/strict')
const Input = require('../../lib/json-slices/input')
const { PIECE_SIZE } = require('../support/slices')

const inputOf = (text) => {
  const input = new Input()
  input.append(Buffer.from(text))
  return input
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
})
