'use strict'

// Coded bodies: small ones that decode to large ones, and those that are as large as the one-shot lane takes, or that
// it has to leave to the stream lane.

const zlib = require('node:zlib')
const { attackOn, fill, list, MB } = require('./attack')

const KB = 1024 // bytes
const BOMB = 256 * MB // bytes, decoded
const PART = 16 * MB // bytes, of a bomb
const TOO_LARGE = ['413 entity.too.large']
const FAILED = ['400 entity.parse.failed']

const { BROTLI_PARAM_LGWIN, BROTLI_PARAM_QUALITY } = zlib.constants
const brotli = { params: { [BROTLI_PARAM_LGWIN]: 24, [BROTLI_PARAM_QUALITY]: 5 } } // with the largest window

/** On a JSON parser of 1 MB. */
function coded (name, what, coding, make, expect, more) {
  const message = () => ({ headers: { 'Content-Encoding': coding }, pieces: [make()] })
  return attackOn('json', message, { name, what, expect, ...more })
}

const bomb = (name, what, coding, make) => coded(`bomb-${name}`, what, coding, make, TOO_LARGE)
const zeros = (size) => Buffer.alloc(size)

/** Empty DEFLATE blocks, for each of which the decoder builds tables of 576 entries (RFC 1951, section 3.2.7). */
function gzippedTables () {
  // One with codes of all lengths up to 15, and an empty stored one, which ends at a byte.
  const blocks = fill(Buffer.from('04e001822449922449feffb9482c6a1e593d7b07000000ffff', 'hex'), 25 * 29)
  return Buffer.concat([Buffer.from('1f8b0800000000000003', 'hex'), blocks, Buffer.of(3), Buffer.alloc(9)])
}

/** Blanks in gzip that says that it decodes to no bytes. */
function lyingBlanks () {
  const bytes = zlib.gzipSync(Buffer.alloc(20 * KB, ' '))
  bytes.writeUInt32LE(0, bytes.length - 4)
  return bytes
}

/** Of noise in hexadecimal digits, which halves in gzip. */
function gzippedRecords () {
  const digits = (number, factor) => (Math.imul(number, factor) >>> 0).toString(16)
  const record = (index) => `{"id":"${digits(index + 1, 0x9e3779b1)}${digits(index + 7, 0x85ebca6b)}"}`
  return zlib.gzipSync(list('[', record, ']', { size: 32 * KB }))
}

module.exports = [
  bomb('gzip', '256 MB of zeros in 256 KB of gzip', 'gzip', () => zlib.gzipSync(zeros(BOMB))),
  bomb('deflate', '256 MB of zeros in 256 KB of deflate', 'deflate', () => zlib.deflateSync(zeros(BOMB))),
  bomb('br', '256 MB of zeros in some bytes of brotli', 'br', () => zlib.brotliCompressSync(zeros(BOMB), brotli)),
  bomb('members', '16 gzip members of 16 MB each', 'gzip',
    () => Buffer.concat(Array(BOMB / PART).fill(zlib.gzipSync(zeros(PART))))),
  ...zlib.zstdCompressSync
    ? [bomb('zstd', '256 MB of zeros in 8 KB of zstd', 'zstd', () => zlib.zstdCompressSync(zeros(BOMB)))]
    : [],
  coded('coded-lane-tables', '0.75 KB of empty blocks with tables, in gzip', 'gzip', gzippedTables, ['200'],
    { rate: 400 }),
  coded('coded-lane-lying', '20 KB of blanks in gzip that denies them', 'gzip', lyingBlanks, ['400 Z_DATA_ERROR'],
    { rate: 400 }),
  coded('coded-bomb-over', '1 MB of zeros in 1 KB of gzip, limit 1 MB', 'gzip', () => zlib.gzipSync(zeros(MB)),
    FAILED, { rate: 150 }),
  coded('coded-br-window', '16 MB of letters in 34 bytes of brotli', 'br',
    () => zlib.brotliCompressSync(fill('a', PART), brotli), TOO_LARGE, { rate: 100 }),
  coded('coded-json', '16 KB of ordinary JSON in gzip', 'gzip', gzippedRecords, ['200'], { rate: 400 })
]
