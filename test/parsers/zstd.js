'use strict'

// zstd bodies that zlib of Node 22 and 24 decodes wrong. The results are those
// of Node 26, and so of body-parser with it.

const assert = require('node:assert/strict')
const zlib = require('node:zlib')
const subject = require('fast-body-parser')
const web = require('fast-body-parser/web')
const exchange = require('../support/exchange')
const { messagesOf } = require('../support/lanes')
const { typed } = require('../support/outcome')

const hasZstd = zlib.zstdCompressSync !== undefined
const headers = { 'Content-Type': 'application/json', 'Content-Encoding': 'zstd' }
const cut = { status: 400, code: 'Z_BUF_ERROR', errno: -5, message: 'unexpected end of file' }

;(hasZstd ? describe : describe.skip)('zstd', () => {
  const compress = hasZstd ? zlib.zstdCompressSync : Buffer.from
  const large = JSON.stringify(Array.from({ length: 9000 }, (_, i) => (i * 7919) % 104729))
  const [whole, begin, end, coded] = ['{"a":1}', '{"a"', ':1}', large].map((text) => compress(text))
  const object = { a: 1 }
  const skippable = Buffer.concat([Buffer.of(0x5A, 0x2A, 0x4D, 0x18, 4, 0, 0, 0), Buffer.from('meta')])

  // [what, body, the value or the error]
  const rows = [
    ['a frame', [whole], object],
    ['half of a frame', [whole.subarray(0, whole.length >> 1)], cut],
    ['a frame without its last byte', [whole.subarray(0, -1)], cut],
    ['half of a large frame', [coded.subarray(0, coded.length >> 1)], cut],
    ['nothing', [], cut],
    ['the half of a magic number', [whole.subarray(0, 2)], { status: 400 }],
    ['two frames', [begin, end], object],
    ['a large frame and a small one', [coded, compress(' ')], JSON.parse(large)],
    ['two frames, the second without its last byte', [begin, end.subarray(0, -1)], cut],
    ['empty frames', [compress(''), begin, compress(''), end, compress('')], object],
    ['an empty frame', [compress('')], {}],
    ['a skippable frame before', [skippable, whole], object],
    ['a skippable frame between', [begin, skippable, end], object],
    ['a skippable frame after', [whole, skippable], object],
    ['a skippable frame alone', [skippable], {}],
    ['a skippable frame that is cut', [whole, skippable.subarray(0, -1)], cut],
    ['other bytes after a frame', [whole, Buffer.from('junkjunk')], object],
    ['zeros after a frame', [whole, Buffer.alloc(5)], object],
    ['bytes that are not a frame', [Buffer.from('this is not a frame')],
      { status: 400, code: 'ZSTD_error_prefix_unknown' }]
  ]
  for (const [what, frames, expected] of rows) {
    const body = Buffer.concat(frames)

    it(`is ${expected.status ?? 'parsed'}: ${what}, however it arrives`, async () => {
      for (const options of [{}, { rawBody: 'coded' }]) {
        for (const [way, message] of Object.entries(messagesOf({ headers, body }))) {
          const seen = await exchange(subject.json(options), message)
          const where = `${way}, ${JSON.stringify(options)}`
          assert.deepEqual([seen.next, seen.reusable], [1, true], where)
          check(seen.error === 'none' ? seen.body : seen.error, expected, where)
        }
      }
    })

    it(`is ${expected.status ?? 'parsed'} by fast-body-parser/web: ${what}`, async () => {
      const request = new Request('http://localhost/', { method: 'POST', headers, body })
      check(await web.json()(request).then(typed, (error) => error), expected, 'web')
    })
  }

  function check (seen, expected, where) {
    if (expected.status === undefined) return assert.deepEqual(seen, typed(expected), where)
    const { status, code = seen.own?.code?.value.string, errno = Number(seen.own?.errno?.value.number), message } = seen
    const given = { status, code, errno, message }
    for (const [name, value] of Object.entries(expected)) assert.equal(given[name], value, `${name}, ${where}`)
  }

  it('counts all frames against the limit', async () => {
    const frames = Buffer.concat([compress('"' + 'x'.repeat(48)), compress('x'.repeat(49) + '"')])
    for (const [way, message] of Object.entries(messagesOf({ headers, body: frames }))) {
      assert.equal((await exchange(subject.json({ strict: false, limit: 99 }), message)).error, 'none', way)
      const { error } = await exchange(subject.json({ strict: false, limit: 98 }), message)
      assert.deepEqual([error.status, error.type], [413, 'entity.too.large'], way)
    }
  })
})
