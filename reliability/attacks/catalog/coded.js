'use strict'

// Coded bodies that are as large as the one-shot lane takes, or decode to as
// much; and those that it has to leave to the stream lane.

const { gzipSync } = require('node:zlib')
const adversarial = require('./adversarial-bodies')
const attackOn = require('./attack')
const { list, MB } = require('./fill')

const KB = 1024 // bytes
const CODED = 0.75 * KB // bytes, the largest that the one-shot lane takes
const DECODED = 16 * KB // bytes; it puts out less
const LARGE = 16 * KB // bytes, coded
const FAILED = ['400 entity.parse.failed']

function coded (name, what, coding, make, expect, { rate = 400, isJson, ...options } = {}) {
  return attackOn('json', () => ({ headers: { 'Content-Encoding': coding }, pieces: [make()] }),
    { name, what, expect, options, rate, isJson })
}

/** Changes a byte of the checksum, which is followed by so many bytes. */
function flipped (bytes, behind = 0) {
  const copy = Buffer.from(bytes)
  copy[copy.length - 1 - behind] ^= 0xff
  return copy
}

/** Says that it decodes to no bytes. */
function lying (gzipped) {
  const copy = Buffer.from(gzipped)
  copy.writeUInt32LE(0, copy.length - 4)
  return copy
}

/** Of noise in hexadecimal digits, which halves in gzip. */
function gzippedRecords () {
  const digits = (number, factor) => (Math.imul(number, factor) >>> 0).toString(16)
  const record = (index) => `{"id":"${digits(index + 1, 0x9e3779b1)}${digits(index + 7, 0x85ebca6b)}"}`
  return gzipSync(list('[', record, ']', { size: 2 * LARGE }))
}

const tables = (size) => adversarial.deflateTables(size)
const gzippedTables = () => adversarial.gzipMember(tables(CODED - 20).subarray(2, -4))
const copies = () => adversarial.gzipCopies(CODED, 3)
const blanks = (size) => gzipSync(Buffer.alloc(size, ' '))
const FAULTY = ['400 Z_DATA_ERROR']

module.exports = [
  coded('coded-tables-flipped', '16 KB of empty deflate blocks with tables, and a wrong checksum', 'deflate',
    () => flipped(tables(LARGE)), FAULTY),
  coded('coded-tables', '16 KB of empty deflate blocks with tables', 'deflate', () => tables(LARGE), ['200']),
  coded('coded-lane-tables', '0.75 KB of empty blocks with tables, in gzip', 'gzip', gzippedTables, ['200']),
  coded('coded-lane-copies', '0.75 KB of copies of 3 bytes, in one block of gzip', 'gzip', copies, FAILED),
  coded('coded-lane-flipped', 'the same with a wrong checksum', 'gzip', () => flipped(copies(), 4), FAULTY),
  coded('coded-lane-lying', '20 KB in a block of 0.75 KB of gzip that denies it', 'gzip',
    () => lying(adversarial.gzipCopies(CODED, 8)), FAULTY),
  coded('coded-lane-members', '0.75 KB of empty gzip members', 'gzip', () => adversarial.gzipMembers(CODED), ['200']),
  coded('coded-lane-blanks', '16 KB of blanks, less one, in gzip', 'gzip', () => blanks(DECODED - 1), FAILED),
  coded('coded-blanks', '250 KB of blanks in 0.3 KB of gzip, limit 1 MB', 'gzip', () => blanks(250 * KB), FAILED),
  coded('coded-bomb-limit', '1 MB of zeros in 1 KB of gzip, limit 100 KB', 'gzip', () => gzipSync(Buffer.alloc(MB)),
    ['413 entity.too.large'], { limit: 100 * KB }),
  coded('coded-bomb-over', '1 MB of zeros in 1 KB of gzip, limit 1 MB', 'gzip', () => gzipSync(Buffer.alloc(MB)),
    FAILED, { rate: 150, isJson: true }),
  coded('coded-members', '16 KB of empty gzip members', 'gzip', () => adversarial.gzipMembers(LARGE), ['200']),
  coded('coded-br-window', '16 MB of letters in 34 bytes of brotli', 'br', adversarial.brotliWindow,
    ['413 entity.too.large'], { rate: 100 }),
  coded('coded-json-flipped', '16 KB of ordinary JSON in gzip, with a wrong length', 'gzip',
    () => flipped(gzippedRecords()), FAULTY),
  coded('coded-json', '16 KB of ordinary JSON in gzip', 'gzip', gzippedRecords, ['200'])
]
