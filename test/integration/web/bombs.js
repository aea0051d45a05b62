'use strict'

// Compressed bodies that decode to 256 MB, with a limit of 100 KB, on each
// runtime that docs/runtimes.md names: the status, and what memory they take.

const assert = require('node:assert/strict')
const { spawn } = require('node:child_process')
const { once } = require('node:events')
const fs = require('node:fs')
const path = require('node:path')
const zlib = require('node:zlib')
const { RUNTIMES } = require('../support/server')

const PROGRAM = path.join(__dirname, 'programs/bomb.mjs')
const DECODED = 2 ** 28 // bytes
const MOST = 40 // MB; one look at the whole would take more than 256
// A frame of 2,048 blocks (RFC 8878, section 3.1.1), each of one blank that is repeated 131,072 times
const ZSTD = Buffer.concat([
  Buffer.from('28b52ffd0058', 'hex'),
  ...Array.from({ length: 2048 }, (_, i) => Buffer.of(...littleEndian((131_072 << 3) | 2 | (i === 2047 ? 1 : 0)), 0x20))
])
const blanks = Buffer.alloc(DECODED, ' ')
const bombs = {
  br: zlib.brotliCompressSync(blanks),
  deflate: zlib.deflateSync(blanks),
  gzip: zlib.gzipSync(blanks),
  zstd: ZSTD
}
function littleEndian (number) {
  return [number & 0xFF, number >> 8 & 0xFF, number >> 16]
}

async function run (name, coding, hide) {
  const [command, ...args] = RUNTIMES[name]
  const all = [...args, PROGRAM, coding, ...(hide ? ['hide'] : [])]
  const child = spawn(command, all, { stdio: ['pipe', 'pipe', 'inherit'] })
  const closed = once(child, 'close')
  child.stdin.end(bombs[coding])
  const output = await child.stdout.toArray()
  await closed
  return JSON.parse(String(Buffer.concat(output)))
}

describe('fast-body-parser/web bounds the memory of a compressed body', function () {
  before(function () {
    if (!fs.existsSync('/proc/self/status')) this.skip()
  })

  for (const name of Object.keys(RUNTIMES)) {
    for (const coding of Object.keys(bombs)) {
      const hasZstd = name !== 'Node.js' || zlib.createZstdDecompress !== undefined
      for (const [hide, status] of [
        [false, coding !== 'zstd' || hasZstd ? 413 : 415],
        [true, ['deflate', 'gzip'].includes(coding) ? 413 : 415]
      ]) {
        it(`in ${coding}, under ${name}${hide ? ' without zlib' : ''}`, async () => {
          const seen = await run(name, coding, hide)
          assert.equal(seen.status, status)
          assert.ok(seen.grown < MOST, `${seen.grown} MB`)
        })
      }
    }
  }
})
