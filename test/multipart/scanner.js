'use strict'

const assert = require('node:assert/strict')
const fc = require('fast-check')
const Scanner = require('../../lib/multipart/scanner')
const { arrivals, cut } = require('../support/arrival')

/** Parts as [header, data], then 'end', or the type of the fault. */
function scan (pieces, { boundary = 'b', maxHeader = 100, act = () => {} } = {}) {
  const found = []
  let part = null
  const scanner = new Scanner(boundary, {
    onHeader (chunk, start, end) {
      assert.equal(part, null, 'a part begins after the end of another')
      part = [chunk.latin1Slice(start, end), '']
      act(scanner)
    },
    onData (chunk, start, end) {
      assert.ok(end > start)
      part[1] += chunk.latin1Slice(start, end)
      act(scanner)
    },
    onPartEnd () {
      found.push(part)
      part = null
      act(scanner)
    },
    onEnd: () => found.push('end'),
    onFault (type) { throw new Error(type) }
  }, maxHeader)
  try {
    for (const piece of pieces) scanner.write(piece)
    scanner.end()
  } catch (error) {
    found.push(error.message)
  }
  return found
}

const content = (text) => `--b\r\nA: 1\r\n\r\n${text}\r\n--b--\r\n`

// [what, body, what is found]
const rows = [
  ['two parts', '--b\r\nA: 1\r\n\r\none\r\n--b\r\nB: 2\r\nC: 3\r\n\r\ntwo\r\n--b--\r\n', ['A: 1', 'one'], ['B: 2\r\nC: 3', 'two'], 'end'],
  ['no parts', '--b--\r\n', 'end'],
  ['no parts, and no line end', '--b--', 'end'],
  ['no data', content(''), ['A: 1', ''], 'end'],
  ['no header', '--b\r\n\r\none\r\n--b--', ['', 'one'], 'end'],
  ['a last boundary without a line end', '--b\r\nA: 1\r\n\r\none\r\n--b--', ['A: 1', 'one'], 'end'],
  ['a last boundary with blanks and without a line end', '--b\r\nA: 1\r\n\r\none\r\n--b-- \t', ['A: 1', 'one'], 'end'],
  ['a preamble', 'This is\r\na message.\r\n--b\r\nA: 1\r\n\r\none\r\n--b--\r\n', ['A: 1', 'one'], 'end'],
  ['a preamble of a line end', '\r\n--b\r\nA: 1\r\n\r\none\r\n--b--\r\n', ['A: 1', 'one'], 'end'],
  ['a preamble with what is no boundary', 'x--b\r\n\r\n--bX\r\n--b--X\r\n--b\r\nA: 1\r\n\r\none\r\n--b--\r\n', ['A: 1', 'one'], 'end'],
  ['an epilogue', content('one') + 'and\r\n--b\r\nmore', ['A: 1', 'one'], 'end'],
  ['blanks after boundaries', '--b  \r\nA: 1\r\n\r\none\r\n--b\t \r\nB: 2\r\n\r\ntwo\r\n--b-- \t \r\n', ['A: 1', 'one'], ['B: 2', 'two'], 'end'],
  ['a longer boundary within data', content('\r\n--bX\r\n'), ['A: 1', '\r\n--bX\r\n'], 'end'],
  ['a longer last boundary within data', content('\r\n--b--X\r\n'), ['A: 1', '\r\n--b--X\r\n'], 'end'],
  ['a boundary and one dash within data', content('\r\n--b-\r\n'), ['A: 1', '\r\n--b-\r\n'], 'end'],
  ['a boundary and three dashes within data', content('\r\n--b---\r\n'), ['A: 1', '\r\n--b---\r\n'], 'end'],
  ['a boundary, blanks and dashes within data', content('\r\n--b --\r\n'), ['A: 1', '\r\n--b --\r\n'], 'end'],
  ['a boundary and a CR alone within data', content('\r\n--b\r\r\n--b \rx'), ['A: 1', '\r\n--b\r\r\n--b \rx'], 'end'],
  ['a boundary and an LF alone within data', content('\r\n--b\n'), ['A: 1', '\r\n--b\n'], 'end'],
  ['a last boundary and a CR alone within data', content('\r\n--b--\r\r\n--b--\rx'), ['A: 1', '\r\n--b--\r\r\n--b--\rx'], 'end'],
  ['a boundary within a line', content('one--b\r\ntwo--b--'), ['A: 1', 'one--b\r\ntwo--b--'], 'end'],
  ['a boundary after an LF alone', content('one\n--b\r\ntwo'), ['A: 1', 'one\n--b\r\ntwo'], 'end'],
  ['a boundary right after the header', content('--b\r\none'), ['A: 1', '--b\r\none'], 'end'],
  ['begins of the boundary', content('\r\r\n\r\n-\r\n--\r\n--\r\n\r\n'), ['A: 1', '\r\r\n\r\n-\r\n--\r\n--\r\n\r\n'], 'end'],
  ['line ends', content('\r\n\r\n\r\n'), ['A: 1', '\r\n\r\n\r\n'], 'end'],
  ['a header of the greatest length', `--b\r\n${'x'.repeat(100)}\r\n\r\none\r\n--b--`, ['x'.repeat(100), 'one'], 'end'],
  ['a header that is too long', `--b\r\n${'x'.repeat(101)}\r\n\r\none\r\n--b--`, 'header.too.large'],
  ['a header that is too long after another', `--b\r\nA: 1\r\n\r\none\r\n--b\r\n${'x'.repeat(200)}`, ['A: 1', 'one'], 'header.too.large'],
  ['a header without its end', '--b\r\nA: 1\r\n--b--\r\n', 'unterminated'],
  ['too many blanks after a boundary', `--b${' '.repeat(300)}\r\nA: 1\r\n\r\none\r\n--b--`, 'boundary.invalid'],
  ['no bytes', '', 'unterminated'],
  ['a preamble alone', 'text', 'unterminated'],
  ['a part without its end', '--b\r\nA: 1\r\n\r\none', 'unterminated'],
  ['a part without a last boundary', '--b\r\nA: 1\r\n\r\none\r\n--b', 'unterminated'],
  ['a boundary in place of the last one', '--b\r\nA: 1\r\n\r\none\r\n--b\r\n', ['A: 1', 'one'], 'unterminated'],
  ['a last boundary and a CR alone', '--b\r\nA: 1\r\n\r\none\r\n--b--\r', 'unterminated']
]

describe('scanner', () => {
  for (const [what, body, ...expected] of rows) {
    it(`reads ${what}, however it arrives`, () => {
      for (const [way, pieces] of Object.entries(arrivals(Buffer.from(body)))) {
        assert.deepEqual(scan(pieces), expected, way)
        assert.deepEqual(scan(pieces, { act (scanner) { scanner.block(); scanner.unblock() } }), expected, `${way}, blocked and unblocked`)
      }
      for (let place = 0; place <= body.length; place++) assert.deepEqual(scan(cut(Buffer.from(body), [place])), expected, `cut at ${place}`)
    })
  }

  it('tells a missing end from a complete body', () => {
    const calls = []
    const handler = { onHeader () {}, onData () {}, onPartEnd: () => calls.push('part'), onEnd: () => calls.push('complete'), onFault: (type) => { throw new Error(type) } }
    const body = Buffer.from(content('one'))
    for (let length = 0; length <= body.length; length++) {
      const scanner = new Scanner('b', handler, 100)
      scanner.write(body.subarray(0, length))
      if (length === body.length || length === body.length - 2) scanner.end()
      else assert.throws(() => scanner.end(), { message: 'unterminated' }, `${length} bytes`)
    }
    assert.deepEqual(calls.filter((call) => call === 'complete').length, 2)
  })

  it('holds back what follows while it is blocked, and tells how much that is', () => {
    const calls = []
    const scanner = new Scanner('b', {
      onHeader: () => calls.push('header'),
      onData (chunk, start, end) {
        calls.push(chunk.latin1Slice(start, end))
        scanner.block()
      },
      onPartEnd () {
        calls.push('part')
        scanner.block()
      },
      onEnd: () => calls.push('end')
    }, 100)
    scanner.write(Buffer.from('--b\r\n\r\none'))
    scanner.write(Buffer.from('two\r\n--b--'))
    scanner.end()
    assert.deepEqual([calls, scanner.waitingBytes], [['header', 'one'], 10])
    scanner.unblock()
    assert.deepEqual([calls.splice(2), scanner.waitingBytes], [['two'], 7])
    scanner.unblock()
    assert.deepEqual([calls.splice(2), scanner.waitingBytes], [['part'], 0])
    scanner.unblock()
    assert.deepEqual(calls.splice(2), ['end'])
  })

  it('reads back any parts, at any cuts', () => {
    const bytes = fc.array(fc.constantFrom('\r', '\n', '-', '--', 'a', 'ab', ' ', '\t', '\r\n', '\r\n--', '\r\n--a', '\r\n--ab', '\r\n--abX', '\r\n--ab-', '\r\n--ab--X', '\r\n--ab \r'), { maxLength: 12 })
      .map((pieces) => pieces.join(''))
      .filter((text) => !/\r\n--ab(?:--)?[\t ]*\r\n/.test(`${text}\r\n`))
    const places = fc.array(fc.nat(), { maxLength: 12 })
    fc.assert(fc.property(fc.array(bytes, { maxLength: 4 }), places, (contents, places) => {
      const body = Buffer.from(`${contents.map((text) => `--ab\r\nA: 1\r\n\r\n${text}\r\n`).join('')}--ab--`)
      const pieces = cut(body, places.map((place) => place % (body.length + 1)).sort((a, b) => a - b))
      assert.deepEqual(scan(pieces, { boundary: 'ab' }), [...contents.map((text) => ['A: 1', text]), 'end'])
    }), { numRuns: 1000 })
  })
})
