'use strict'

// Coded bodies that are as large as the one-shot lane takes, or decode to as much.

const { gzipSync } = require('node:zlib')
const adversarial = require('./adversarial-bodies')
const attackOn = require('./attack')
const { list, MB } = require('./fill')

const KB = 1024 // bytes
const CODED = 16 * KB // bytes, the largest that the one-shot lane takes
const DECODED = 256 * KB // bytes, the most that it puts out
const FAILED = ['400 entity.parse.failed']

function coded (name, what, coding, make, expect, { rate, isJson, ...options } = {}) {
  return attackOn('json', () => ({ headers: { 'Content-Encoding': coding }, pieces: [make()] }), { name, what, expect, options, rate, isJson })
}

/** Changes the last byte, which is part of a checksum. */
function flipped (bytes) {
  const copy = Buffer.from(bytes)
  copy[copy.length - 1] ^= 0xff
  return copy
}

/** Of noise in hexadecimal digits, which halves in gzip. */
function gzippedRecords () {
  const record = (index) => `{"id":"${(Math.imul(index + 1, 0x9e3779b1) >>> 0).toString(16)}${(Math.imul(index + 7, 0x85ebca6b) >>> 0).toString(16)}"}`
  return gzipSync(list('[', record, ']', 2 * CODED))
}

const tables = () => adversarial.deflateTables(CODED)

module.exports = [
  ...[200, 400].flatMap((rate) => [
    coded(`coded-tables-flipped-${rate}`, '16 KB of empty deflate blocks with tables, and a wrong checksum', 'deflate', () => flipped(tables()), ['400 Z_DATA_ERROR'], { rate }),
    coded(`coded-tables-${rate}`, '16 KB of empty deflate blocks with tables', 'deflate', tables, FAILED.concat('200'), { rate })
  ]),
  coded('coded-bomb-lane', '256 KB of zeros in 0.3 KB of gzip', 'gzip', () => gzipSync(Buffer.alloc(DECODED)), FAILED, { rate: 400 }),
  coded('coded-bomb-limit', '1 MB of zeros in 1 KB of gzip, limit 100 KB', 'gzip', () => gzipSync(Buffer.alloc(MB)), ['413 entity.too.large'], { rate: 400, limit: 100 * KB }),
  coded('coded-bomb-over', '1 MB of zeros in 1 KB of gzip, limit 1 MB', 'gzip', () => gzipSync(Buffer.alloc(MB)), FAILED, { rate: 150, isJson: true }),
  coded('coded-members', '16 KB of empty gzip members', 'gzip', () => adversarial.gzipMembers(CODED), ['200'], { rate: 400 }),
  coded('coded-br-window', '16 MB of letters in 34 bytes of brotli', 'br', adversarial.brotliWindow, ['413 entity.too.large'], { rate: 100 }),
  coded('coded-json-flipped', '16 KB of ordinary JSON in gzip, with a wrong length', 'gzip', () => flipped(gzippedRecords()), ['400 Z_DATA_ERROR'], { rate: 400 }),
  coded('coded-json', '16 KB of ordinary JSON in gzip', 'gzip', gzippedRecords, ['200'], { rate: 400 })
]
