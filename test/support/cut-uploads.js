'use strict'

// Uploads that are cut off at random bytes, and what they leave behind: looked
// at when `next` is called with an error, and at the end.

const { randomBytes } = require('node:crypto')
const fs = require('node:fs')
const http = require('node:http')
const net = require('node:net')
const { once } = require('node:events')
const os = require('node:os')
const path = require('node:path')
const { pipeline } = require('node:stream/promises')
const { setTimeout: delay } = require('node:timers/promises')
const zlib = require('node:zlib')
const { multipart } = require('../..')

const HEAD = 'Content-Disposition: form-data; name='
const body = Buffer.concat([
  `--b\r\n${HEAD}a\r\n\r\n1\r\n--b\r\n${HEAD}f; filename=x\r\n\r\n`, Buffer.alloc(150_000, 'x'),
  `\r\n--b\r\n${HEAD}f; filename=y\r\n\r\n`, Buffer.alloc(100_000, 'y'), '\r\n--b--\r\n'
].map((piece) => Buffer.from(piece)))
const bodies = { identity: body, gzip: zlib.gzipSync(body, { level: 0 }) }

/** @returns {Promise<{ outcomes: Record<string, number>, faults: string[], files: number, bytes: number, descriptors: number }>} */
async function runCuts (count, seed) {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'cut-uploads-'))
  const disk = multipart.disk(folder)
  const parsers = {
    disk: multipart({ store: disk }),
    'disk with a limit': multipart({ store: disk, files: { f: { max: 2, size: 120_000 } } }),
    memory: multipart(),
    'own store': multipart({ store: (file, { signal }) => store(path.join(folder, randomBytes(16).toString('hex')), file, signal) })
  }
  const outcomes = {}
  const faults = []
  const seen = { requests: 0, calls: 0 }
  const server = http.createServer((req, res) => {
    const name = decodeURIComponent(req.url.slice(1))
    let called = false
    seen.requests++
    parsers[name](req, res, (error) => {
      const left = leftIn(folder)
      if (called) faults.push(`${name}: next is called twice`)
      if (error && left.files + left.descriptors > 0) faults.push(`${name}: ${error.type} with ${left.files} files and ${left.descriptors} descriptors`)
      called = true
      seen.calls++
      const outcome = `${name}: ${error ? error.type ?? error.message : 'complete'}`
      outcomes[outcome] = (outcomes[outcome] ?? 0) + 1
      if (req.headers['x-throw']) res.destroy(new Error('the handler throws'))
      else res.end()
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  let state = (seed + 1) * 2654435761 >>> 0
  const below = (limit) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return Math.floor(state / 2 ** 32 * limit)
  }
  try {
    for (let i = 0; i < count; i++) {
      const [coding, bytes] = Object.entries(bodies)[below(2)]
      const name = Object.keys(parsers)[i % 4]
      const length = below(10) === 0 ? bytes.length : 1 + below(bytes.length)
      const before = { ...seen }
      const socket = net.connect(server.address().port, '127.0.0.1').on('error', () => {})
      socket.write(`POST /${encodeURIComponent(name)} HTTP/1.1\r\nHost: test\r\nContent-Type: multipart/form-data; boundary=b\r\nContent-Length: ${bytes.length}\r\nContent-Encoding: ${coding}\r\n${below(2) ? 'X-Throw: 1\r\n' : ''}\r\n`)
      await new Promise((resolve) => socket.write(bytes.subarray(0, length), resolve))
      if (below(2) === 0) await delay(below(4))
      if (length < bytes.length) socket[['destroy', 'resetAndDestroy', 'end'][below(3)]]()
      for (let wait = 0; seen.calls === before.calls && wait < 2000; wait++) {
        if (wait > 100 && seen.requests === before.requests) break // it was cut before it was one
        await delay(1)
      }
      if (seen.calls - before.calls !== seen.requests - before.requests) faults.push(`${name}: next is not called, cut at ${length} of ${bytes.length}, ${coding}`)
      socket.destroy()
      for (let wait = 0; leftIn(folder).files > 0 && wait < 1000; wait++) await delay(1) // those of a complete one, until its response is closed
    }
    return { outcomes, faults, ...leftIn(folder) }
  } finally {
    server.close()
    server.closeAllConnections()
    fs.rmSync(folder, { recursive: true })
  }
}

/** As an app would write it: removes what it has written when it fails, and returns nothing that stays. */
async function store (file, stream, signal) {
  try {
    await pipeline(stream, fs.createWriteStream(file), { signal })
  } finally {
    await fs.promises.rm(file, { force: true })
  }
}

function leftIn (folder) {
  const names = fs.readdirSync(folder)
  const sizes = names.map((name) => fs.statSync(path.join(folder, name), { throwIfNoEntry: false })?.size ?? 0)
  const descriptors = process.platform !== 'linux' ? [] : fs.readdirSync('/proc/self/fd').filter((fd) => targetOf(fd).startsWith(folder))
  return { files: names.length, bytes: sizes.reduce((sum, size) => sum + size, 0), descriptors: descriptors.length }
}

function targetOf (fd) {
  try {
    return fs.readlinkSync(`/proc/self/fd/${fd}`)
  } catch { // that of the listing
    return ''
  }
}

module.exports = { runCuts }
