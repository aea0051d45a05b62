'use strict'

const zlib = require('node:zlib')
const { table } = require('../support/table')

const text = '{"name":"論","list":[1,2,3]}'
const parsed = { body: JSON.parse(text) }
const large = JSON.stringify(Array.from({ length: 40_000 }, (_, i) => (i * 7919) % 104729))
const bomb = JSON.stringify({ a: 'x'.repeat(3_000_000) })
const nothing = Buffer.alloc(0)
const hasZstd = zlib.zstdCompressSync !== undefined

const codings = {
  gzip: zlib.gzipSync,
  deflate: zlib.deflateSync,
  br: zlib.brotliCompressSync,
  ...(hasZstd ? { zstd: zlib.zstdCompressSync } : {})
}

function row (it, coding, body, expect, options, more) {
  return { it, parser: 'json', options, headers: { 'Content-Type': 'application/json', 'Content-Encoding': coding }, body, expect, ...more }
}

function unsupported (encoding) {
  return { error: { status: 415, type: 'encoding.unsupported', encoding, message: `unsupported content encoding "${encoding}"` } }
}

const broken = { error: { status: 400, statusCode: 400, expose: true, type: undefined, constructor: 'Error' } }

/** `limit` bytes are fine, one more is not. */
function edge (coding, compress, size) {
  const body = compress(Buffer.alloc(size, '["a"]  '))
  const raw = { parser: 'raw', headers: { 'Content-Type': 'application/octet-stream', 'Content-Encoding': coding } }
  return [
    row(`${size} bytes under a limit of as many`, coding, body, { body: Buffer.alloc(size, '["a"]  ') }, { limit: size }, raw),
    row(`${size} bytes over a limit of one fewer`, coding, body, { error: { status: 413, limit: size - 1, type: 'entity.too.large' } }, { limit: size - 1 }, { ...raw, ignore: ['error'] }),
    row(`${size} bytes, all at once, over a limit of one fewer`, coding, body, { error: { status: 413, limit: size - 1 } }, { limit: size - 1 }, { ...raw, arrivals: ['together'] })
  ]
}

describe('content coding', () => {
  for (const [coding, compress] of Object.entries(codings)) {
    describe(coding, () => {
      const body = compress(text)
      const empty = coding === 'zstd' ? undefined : broken // Node 22 takes an empty zstd body for no bytes
      table([
        row('is undone', coding, body, parsed),
        row('is undone in chunked transfer coding', coding, body, parsed, {}, { chunked: true }),
        row('is known in upper case', coding.toUpperCase(), body, parsed),
        row('is undone before the charset', coding, compress('"é"'), { body: 'é' }, { strict: false }),
        row('is undone for a large body', coding, compress(large), undefined, { limit: '1mb' }),
        row('is undone for a large chunked body', coding, compress(large), undefined, { limit: '1mb' }, { chunked: true }),
        row('may say nothing', coding, compress(''), { body: {} }),
        row('may say nothing in chunks', coding, compress(''), { body: {} }, {}, { chunked: true }),
        row('must not be empty', coding, nothing, empty),
        row('must not be empty in chunks', coding, nothing, empty, {}, { chunked: true }),
        row('must be right', coding, 'this is no coded body at all', undefined),
        row('must be right in chunks', coding, 'this is no coded body at all', undefined, {}, { chunked: true }),
        row('must be whole', coding, body.subarray(0, -3), undefined),
        row('must be whole in chunks', coding, body.subarray(0, -3), undefined, {}, { chunked: true }),
        row('must have its bits right', coding, body.map((byte, index) => index === 5 ? byte ^ 0xFF : byte), undefined),
        row('must have its first half right', coding, Buffer.concat([body.subarray(0, 10), Buffer.alloc(20, 255)]), undefined),
        row('may be followed by zeros', coding, Buffer.concat([body, Buffer.alloc(5)]), undefined, {}, { arrivals: ['together', 'afterwards'] }),
        row('is refused by inflate: false', coding, body, { error: { status: 415, encoding: coding, message: 'content encoding unsupported' } }, { inflate: false }),
        row('is accepted by inflate: 0', coding, body, parsed, { inflate: 0 }),
        row('may break the limit before it breaks off', coding, compress(large).subarray(0, 9000), undefined, { limit: 10 }, { arrivals: ['together'] }),
        row('has errors inside', coding, compress('{"a":'), { error: { status: 400, body: '{"a":', type: 'entity.parse.failed' } }),
        row('is no way around the limit', coding, compress(bomb), { error: { status: 413, limit: 102400, received: 114688 } }, {}, { arrivals: ['together'] }),
        row('is no way around the limit in chunks', coding, compress(bomb), { error: { status: 413, limit: 102400 } }, {}, { chunked: true, ignore: ['error'] }),
        row('may inflate to much', coding, compress(bomb), undefined, { limit: '4mb' }),
        row('is no way around a limit of 0', coding, compress('x'), { error: { status: 413, limit: 0, received: 1 } }, { limit: 0 }),
        row('is no way around a negative limit', coding, compress('x'), { error: { status: 413, limit: -5, received: 1 } }, { limit: -5 }),
        row('is no way around a negative limit, for long', coding, compress(text), { error: { status: 413, limit: -5 } }, { limit: -5 }, { arrivals: ['together'] }),
        row('may say nothing under a negative limit', coding, compress(''), { body: {} }, { limit: -5 }),
        row('knows no end with limit: Infinity', coding, compress(bomb), undefined, { limit: Infinity }),
        ...edge(coding, compress, 100), ...edge(coding, compress, 16384), ...edge(coding, compress, 16385), ...edge(coding, compress, 300_000)
      ])
    })
  }

  describe('gzip members', () => {
    const [one, two] = [zlib.gzipSync('[1,'), zlib.gzipSync('2]')]
    const together = { arrivals: ['together', 'afterwards', 'halves'] }
    table([
      row('are joined', 'gzip', Buffer.concat([one, two]), { body: [1, 2] }, {}, together),
      row('are joined in chunks', 'gzip', Buffer.concat([one, two]), { body: [1, 2] }, {}, { chunked: true, ...together }),
      row('end at other bytes', 'gzip', Buffer.concat([zlib.gzipSync(text), Buffer.from('junk')]), { error: { status: 400, message: 'incorrect header check', code: 'Z_DATA_ERROR', errno: -3 } }, {}, { arrivals: ['together'] })
    ])
  })

  describe('bytes after the end', () => {
    const after = Buffer.from('junk')
    table(['deflate', 'br'].map((coding) =>
      row(`of ${coding} are ignored`, coding, Buffer.concat([codings[coding](text), after]), parsed, {}, { arrivals: ['together', 'afterwards'] })))
  })

  describe('others', () => {
    table([
      row('identity is none', 'identity', text, parsed),
      row('IDENTITY is none', 'IDENTITY', text, parsed),
      row('an empty field is none', '', text, parsed),
      row('identity is none with inflate: false', 'identity', text, parsed, { inflate: false }),
      row('identity has a limit', 'identity', text, { error: { status: 413, limit: 5 } }, { limit: 5 }),
      row('raw deflate is refused', 'deflate', zlib.deflateRawSync(text), broken),
      ...['x-gzip', 'gzip, br', 'compress', 'identity, gzip', 'bogus', 'GZIP2'].map((coding) =>
        row(`${coding} is unknown`, coding, text, unsupported(coding.toLowerCase()))),
      row('bogus is refused with inflate: false', 'Bogus', text, { error: { encoding: 'bogus', message: 'content encoding unsupported' } }, { inflate: false }),
      ...(hasZstd ? [] : [row('zstd is unknown', 'zstd', text, unsupported('zstd'))])
    ])
  })
})
