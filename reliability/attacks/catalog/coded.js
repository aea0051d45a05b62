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

const gzippedTables = () => adversarial.gzipMember(adversarial.deflateTables(CODED - 20))
const blanks = (size) => gzipSync(Buffer.alloc(size, ' '))

module.exports = [
  coded('coded-lane-tables', '0.75 KB of empty blocks with tables, in gzip', 'gzip', gzippedTables, ['200']),
  coded('coded-lane-lying', '20 KB of blanks in gzip that denies them', 'gzip', () => lying(blanks(20 * KB)),
    ['400 Z_DATA_ERROR']),
  coded('coded-lane-members', '0.75 KB of empty gzip members', 'gzip', () => adversarial.gzipMembers(CODED), ['200']),
  coded('coded-lane-blanks', '16 KB of blanks, less one, in gzip', 'gzip', () => blanks(DECODED - 1), FAILED),
  coded('coded-bomb-over', '1 MB of zeros in 1 KB of gzip, limit 1 MB', 'gzip', () => gzipSync(Buffer.alloc(MB)),
    FAILED, { rate: 150, isJson: true }),
  coded('coded-br-window', '16 MB of letters in 34 bytes of brotli', 'br', adversarial.brotliWindow,
    ['413 entity.too.large'], { rate: 100 }),
  coded('coded-json', '16 KB of ordinary JSON in gzip', 'gzip', gzippedRecords, ['200'])
]
