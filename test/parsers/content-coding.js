'use strict'

const { createHash } = require('node:crypto')
const zlib = require('node:zlib')
const { decodesFrames } = require('../../lib/core/platform')
const { CODERS } = require('../support/coders')
const { table } = require('../support/table')

const text = '{"name":"論","list":[1,2,3]}'
const parsed = { body: JSON.parse(text) }
// 120 KB that hardly shrink to half: few values, as all are compared.
const hexOf = (i) => createHash('sha512').update(String(i)).digest('hex')
const large = JSON.stringify(Array.from({ length: 900 }, (_, i) => hexOf(i)))
const bomb = JSON.stringify({ a: 'x'.repeat(400_000) })
const nothing = Buffer.alloc(0)
// So body-parser is, too; zstd.js shows more
const isWrong = (coding) => coding === 'zstd' && !decodesFrames(zlib.zstdDecompressSync)

function row (it, coding, body, expect, options, more) {
  return {
    it,
    parser: 'json',
    options,
    headers: { 'Content-Type': 'application/json', 'Content-Encoding': coding },
    body,
    expect,
    ...more
  }
}

function unsupported (encoding) {
  return {
    error: {
      status: 415,
      type: 'encoding.unsupported',
      encoding,
      message: `unsupported content encoding "${encoding}"`
    }
  }
}

const broken = { error: { status: 400, statusCode: 400, expose: true, type: undefined, constructor: 'Error' } }

/** Rows for a body of as many bytes as the limit, and of one more. */
function edge (coding, compress, size) {
  const body = compress(Buffer.alloc(size, '["a"]  '))
  const raw = { parser: 'raw', headers: { 'Content-Type': 'application/octet-stream', 'Content-Encoding': coding } }
  return [
    row(`accepts ${size} bytes with a limit of as many`, coding, body, { body: Buffer.alloc(size, '["a"]  ') },
      { limit: size }, raw),
    row(`refuses ${size} bytes with a limit of one fewer`, coding, body,
      { error: { status: 413, limit: size - 1, type: 'entity.too.large' } }, { limit: size - 1 },
      { ...raw, ignore: ['error'] }),
    row(`refuses ${size} bytes in one packet with a limit of one fewer`, coding, body,
      { error: { status: 413, limit: size - 1 } }, { limit: size - 1 }, { ...raw, arrivals: ['together'] })
  ]
}

describe('content coding', () => {
  for (const [coding, compress] of Object.entries(CODERS)) {
    describe(coding, () => {
      const body = compress(text)
      const cut = isWrong(coding) ? { ignore: ['body', 'error'] } : {}
      table([
        row('is undone before the body is parsed', coding, body, parsed),
        row('is undone in a chunked body', coding, body, parsed, {}, { chunked: true }),
        row('may be named in upper case', coding.toUpperCase(), body, parsed),
        row('is undone before the charset is decoded', coding, compress('"é"'), { body: 'é' }, { strict: false }),
        row('is undone for a large body', coding, compress(large), undefined, { limit: '1mb' }),
        row('may hold an empty body', coding, compress(''), { body: {} }),
        row('is a 400 for a body of no bytes', coding, nothing, broken, {}, cut),
        row('is a 400 for a chunked body of no bytes', coding, nothing, broken, {}, { chunked: true, ...cut }),
        row('is a 400 for a body that is not coded', coding, 'this is no coded body at all', undefined),
        row('is a 400 for a body that is cut off', coding, body.subarray(0, -3), broken, {}, cut),
        row('is a 400 for a chunked body that is cut off', coding, body.subarray(0, -3), broken, {},
          { chunked: true, ...cut }),
        row('is a 400 for a body that is corrupt after ten bytes', coding,
          Buffer.concat([body.subarray(0, 10), Buffer.alloc(20, 255)]), undefined, {}, cut),
        row('may be followed by zeros, as in body-parser', coding, Buffer.concat([body, Buffer.alloc(5)]), undefined,
          {}, { arrivals: ['together', 'afterwards'] }),
        row('is refused by inflate: false', coding, body,
          { error: { status: 415, encoding: coding, message: 'content encoding unsupported' } }, { inflate: false }),
        row('is a 413 where the limit is exceeded before the body is cut off', coding,
          compress(large).subarray(0, 9000), undefined, { limit: 10 }, { arrivals: ['together'], ...cut }),
        row('does not hide a body over the limit', coding, compress(bomb),
          { error: { status: 413, limit: 102400, received: 114688 } }, {}, { arrivals: ['together'] }),
        row('does not hide a chunked body over the limit', coding, compress(bomb),
          { error: { status: 413, limit: 102400 } }, {}, { chunked: true, ignore: ['error'] }),
        row('does not hide a byte with limit: 0', coding, compress('x'),
          { error: { status: 413, limit: 0, received: 1 } }, { limit: 0 }),
        row('does not hide many bytes with a negative limit', coding, compress(text),
          { error: { status: 413, limit: -5 } }, { limit: -5 }, { arrivals: ['together'] }),
        row('may hold an empty body with a negative limit', coding, compress(''), { body: {} }, { limit: -5 }),
        row('may expand to any length with limit: Infinity', coding, compress(bomb), undefined, { limit: Infinity }),
        ...edge(coding, compress, 16384), ...edge(coding, compress, 16385)
      ])
    })
  }

  describe('members of gzip', () => {
    const [one, two] = [zlib.gzipSync('[1,'), zlib.gzipSync('2]')]
    const together = { arrivals: ['together', 'afterwards', 'halves'] }
    table([
      row('are decoded one after the other', 'gzip', Buffer.concat([one, two]), { body: [1, 2] }, {}, together),
      row('may not be followed by other bytes', 'gzip', Buffer.concat([zlib.gzipSync(text), Buffer.from('junk')]),
        { error: { status: 400, message: 'incorrect header check', code: 'Z_DATA_ERROR', errno: -3 } }, {},
        { arrivals: ['together'] })
    ])
  })

  describe('bytes after the end of the coded body', () => {
    const after = Buffer.from('junk')
    table(['deflate', 'br'].map((coding) =>
      row(`are ignored for ${coding}`, coding, Buffer.concat([CODERS[coding](text), after]), parsed, {},
        { arrivals: ['together', 'afterwards'] })))
  })

  describe('other values', () => {
    table([
      row('identity leaves the body as it is', 'identity', text, parsed),
      row('IDENTITY leaves the body as it is', 'IDENTITY', text, parsed),
      row('an empty field leaves the body as it is', '', text, parsed),
      row('identity is subject to the limit', 'identity', text, { error: { status: 413, limit: 5 } }, { limit: 5 }),
      row('raw deflate is a 400', 'deflate', zlib.deflateRawSync(text), broken),
      ...['x-gzip', 'gzip, br', 'Bogus'].map((coding) =>
        row(`${coding} is refused with 415`, coding, text, unsupported(coding.toLowerCase()))),
      row('an unknown coding is refused with 415 with inflate: false', 'Bogus', text,
        { error: { encoding: 'bogus', message: 'content encoding unsupported' } }, { inflate: false }),
      ...(CODERS.zstd ? [] : [row('zstd is unknown', 'zstd', text, unsupported('zstd'))])
    ])
  })
})
