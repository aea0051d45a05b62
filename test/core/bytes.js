'use strict'

const assert = require('node:assert/strict')
const Bytes = require('../../lib/core/bytes')

const TEXT = 'aé€😀\r\n--b\r\n--boundary'
const ALL = Array.from({ length: 256 }, (_, byte) => byte)

/** [what, what each class gives] */
const rows = [
  ['a text', (Class) => Class.from(TEXT)],
  ['a text of bytes', (Class) => Class.from('\x00a\xFF', 'latin1')],
  ['other bytes', (Class) => Class.from(Uint8Array.of(1, 2))],
  ['a part of memory', (Class) => Class.from(Uint8Array.of(1, 2, 3).buffer, 1, 2)],
  ['zeros', (Class) => Class.alloc(3)],
  ['memory', (Class) => Class.allocUnsafe(3).length],
  ['several pieces', (Class) => Class.concat([Class.from('ab'), Class.from(''), Class.from('c')], 3)],
  ['a part', (Class) => Class.from('abcd').subarray(1, 3)],
  ['the length of a text', (Class) => Class.byteLength(TEXT)],
  ['the text of bytes', (Class) => Class.from(ALL).latin1Slice()],
  ['the text of some bytes', (Class) => Class.from(ALL).latin1Slice(250, 256)],
  ['the text of many bytes', (Class) => Class.alloc(20_000).latin1Slice(5)],
  ['a text in UTF-8', (Class) => Class.from(TEXT).utf8Slice()],
  ['a part of one', (Class) => Class.from(TEXT).utf8Slice(1, 6)],
  ['a text with a mark', (Class) => Class.from('\uFEFFa').utf8Slice()],
  ['a text that is not UTF-8', (Class) => Class.from(ALL).utf8Slice()],
  ...[
    ['\r\n--b', 0], ['\r\n--b', 12], ['\r\n--boundary', 0], ['\r\n--boundary!', 0], ['\n\n', 0], ['a', 0], ['y', 3]
  ].map(([what, from]) =>
    [
      `the place of ${JSON.stringify(what)} from ${from} on`,
      (Class) => Class.from(TEXT).indexOf(Class.from(what), from)
    ]),
  ['the place of a byte', (Class) => Class.from(TEXT).indexOf(13)],
  ...[[0, 2, 1, 3], [0, 2, 0, 2], [0, 1, 0, 2], [0, 0, 3, 3]].map((range) =>
    [`whether the ranges ${range} are equal`, (Class) => Class.from('xab').compare(Class.from('abx'), ...range) === 0])
]

describe('bytes without Buffer', () => {
  for (const [what, act] of rows) {
    it(`gives the same as Buffer: ${what}`, () => {
      const [ours, expected] = [act(Bytes), act(Buffer)]
      assert.equal(ours instanceof Bytes, expected instanceof Buffer)
      assert.deepEqual(Buffer.isBuffer(expected) ? Array.from(ours) : ours,
        Buffer.isBuffer(expected) ? Array.from(expected) : expected)
    })
  }
})
