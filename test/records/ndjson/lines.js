'use strict'

const assert = require('node:assert/strict')
const Lines = require('../../../lib/records/ndjson/lines')

const TOO_LARGE = undefined // in place of a text

const decode = (bytes) => Buffer.from(bytes).toString()

/** What the lines are of chunks, each with its place; TOO_LARGE among them. */
function linesOf (chunks, { isSequence = false, maxBytes = 1000 } = {}) {
  const lines = new Lines({ isSequence, decode }, maxBytes)
  const found = []
  const take = () => {
    for (let text; (text = lines.next()) !== null;) found.push([text, lines.place.line, lines.place.offset])
  }
  for (const chunk of chunks) {
    lines.write(chunk)
    take()
  }
  lines.end()
  take()
  assert.equal(lines.bufferedBytes, 0)
  return found
}

/** Whole, byte by byte, and cut once at each place. */
function * cutsOf (bytes) {
  yield [bytes]
  yield Array.from(bytes, (byte) => Buffer.of(byte))
  for (let at = 1; at < bytes.length; at++) yield [bytes.subarray(0, at), bytes.subarray(at)]
}

// [what, text, lines, format]
const rows = [
  ['nothing', '', []],
  ['one line', '{}\n', [['{}', 1, 0]]],
  ['a last line without its end', '{}\n[]', [['{}', 1, 0], ['[]', 2, 3]]],
  ['blank lines', '\n \n\t{}\n\r\n\n[] \n\n', [['{}\n'.trim(), 3, 3], ['[] ', 6, 10]]],
  ['carriage returns', '{}\r\n[]\r1\n', [['{}\r', 1, 0], ['[]\r1', 2, 4]]],
  ['a byte order mark', '\uFEFF{}\n\uFEFF[]\n', [['{}', 1, 0], ['\uFEFF[]', 2, 6]]],
  ['characters of several bytes', '"é"\n"😀"\n1', [['"é"', 1, 0], ['"😀"', 2, 5], ['1', 3, 12]]],
  ['bytes that are no UTF-8', Buffer.from('22ff220a22c3220a31', 'hex'),
    [['"\uFFFD"', 1, 0], ['"\uFFFD"', 2, 4], ['1', 3, 8]]],
  ['lines of the most bytes', '"éé"\n12345\n', [['"éé"', 1, 0], ['12345', 2, 7]], { maxBytes: 6 }],
  ['lines of more', '1\n1234567\n2\n1234567\n', [['1', 1, 0], [TOO_LARGE, 2, 2], ['2', 3, 10], [TOO_LARGE, 4, 12]],
    { maxBytes: 6 }],
  ['lines of the most bytes, and of more, that end with CR LF', '123456\r\n1234567\r\n"éé"\r\n123456\r\r\n123456\r',
    [['123456\r', 1, 0], [TOO_LARGE, 2, 8], ['"éé"\r', 3, 17], [TOO_LARGE, 4, 25], ['123456\r', 5, 34]],
    { maxBytes: 6 }],
  ['lines of the most bytes that have more behind a carriage return', '123456\r7\n', [[TOO_LARGE, 1, 0]],
    { maxBytes: 6 }],
  ['texts of the most bytes, and of more, in a sequence', '\x1e123456\n\x1e123456\r\n\x1e1234567\n\x1e123456\n\n',
    [['123456\n', 1, 1], ['123456\r\n', 2, 9], [TOO_LARGE, 3, 18], [TOO_LARGE, 4, 27]],
    { maxBytes: 6, isSequence: true }],
  ['a last line of more', '1\n12345678901234567890', [['1', 1, 0], [TOO_LARGE, 2, 2]], { maxBytes: 6 }],
  ['a line of more blanks', '        \n1\n', [[TOO_LARGE, 1, 0], ['1', 2, 9]], { maxBytes: 6 }],
  ['a line of more after others', '1\n2\n3\n1234567\n"é"\n4',
    [['1', 1, 0], ['2', 2, 2], ['3', 3, 4], [TOO_LARGE, 4, 6], ['"é"', 5, 14], ['4', 6, 19]], { maxBytes: 6 }],
  ['a sequence', '\x1e{\n}\n\x1e\x1e[]\n', [['{\n}\n', 1, 1], ['[]\n', 3, 7]], { isSequence: true }],
  ['a sequence without its first separator', '{}\n\x1e[]', [['{}\n', 0, 0], ['[]', 1, 4]], { isSequence: true }]
]

describe('lines', () => {
  for (const [what, text, expected, format] of rows) {
    it(`finds ${what}, at all cuts`, () => {
      const bytes = Buffer.from(text)
      for (const chunks of cutsOf(bytes)) {
        assert.deepEqual(linesOf(chunks, format), expected, JSON.stringify(chunks.map(String)))
      }
    })
  }

  it('keeps no more of a line that is too long than its most bytes, and a chunk', () => {
    const lines = new Lines({ isSequence: false, decode }, 1000)
    lines.write(Buffer.alloc(1000, '1'))
    assert.equal(lines.next(), null)
    lines.write(Buffer.alloc(1))
    assert.equal(lines.next(), TOO_LARGE)
    for (let i = 0; i < 100; i++) {
      lines.write(Buffer.alloc(1000, '1'))
      assert.equal(lines.next(), null)
      assert.equal(lines.bufferedBytes, 0)
    }
  })

  it('counts the bytes that it holds: of lines that are read, of those behind them, and of one without its end', () => {
    const lines = new Lines({ isSequence: false, decode }, 1000)
    const seen = []
    for (const chunk of ['[1]\n[2]\n[3', ',4]\n[5']) {
      lines.write(Buffer.from(chunk))
      seen.push(lines.bufferedBytes)
      for (let text = ''; text !== null;) seen.push(text = lines.next(), lines.bufferedBytes)
    }
    // A line's begin takes 64 bytes of memory at least
    assert.deepEqual(seen, [10, '[1]', 10, '[2]', 10, null, 64, 70, '[3,4]', 8, null, 64])
  })

  it('decodes many lines at once, however few bytes one may have', () => {
    let calls = 0
    const lines = new Lines({ isSequence: false, decode: (bytes) => decode(bytes, calls++) }, 1000)
    lines.write(Buffer.alloc(2 ** 18, '\n'))
    assert.equal(lines.next(), null)
    assert.ok(calls < 275, `${calls} calls`)
    assert.equal(lines.line, 2 ** 18 + 1)
  })
})
