'use strict'

// npm run bench -- web-memory: the memory that one large form takes of a server of the Fetch standard.

const { spawn } = require('node:child_process')
const { once } = require('node:events')
const fs = require('node:fs')
const http = require('node:http')
const os = require('node:os')
const path = require('node:path')
const { temporaryFolder } = require('../tools/atomic-write')
const { wholeNumber } = require('../tools/command-line')
const UserError = require('../tools/user-error')
const { BOUNDARY, KB, MB, typeWith } = require('./multipart/bodies')
const benchCommand = require('./suite/command')
const medianTable = require('./suite/median-table')
const runtimes = require('./suite/runtimes')

const SERVER = path.join(__dirname, 'web-memory/server.mjs')
const STATUS = /^\d+$/m // the line with the port
const HEAD = `--${BOUNDARY}\r\nContent-Disposition: form-data; name="file"; filename="a.bin"\r\n\r\n`
const TAIL = `\r\n--${BOUNDARY}--\r\n`
const LEAVES = 3000 // ms after which a client leaves whose file is not read
const LEAVES_WARM = 20

/**
 * What is sent: a way of ./web-memory/server.mjs, how much of the size, and in chunks of how many bytes. `leaves`: the
 * client does so at some time, as nothing else would end the request.
 */
const ROWS = {
  'node:http, discarded': { way: 'node:http' },
  'the stream alone, discarded': { way: 'alone' },
  'a store that discards': { way: 'discard' },
  'a slow store': { way: 'slow' },
  'multipart.disk': { way: 'disk' },
  'part by part': { way: 'parts' },
  'a store that never reads': { way: 'unread', leaves: true },
  'the stream alone, by byte': { way: 'alone', part: 1 / 20_000, chunk: 1 },
  'a store that discards, by byte': { way: 'discard', part: 1 / 20_000, chunk: 1 },
  'a slow store, by byte': { way: 'slow', part: 1 / 20_000, chunk: 1 },
  '@remix-run/multipart-parser, a quarter': { way: 'multipart-parser', part: 1 / 4 },
  'formData(), a quarter': { way: 'formData()', part: 1 / 4 }
}

benchCommand({
  usage: `The memory that one form with a large file takes of a server, by runtime: three minutes, on Linux.

  npm run bench -- web-memory --node=24

Each form goes to a server of its own, which first takes others of 1 MB. The figure is the peak of its resident memory,
less what it had before. Peers that hold a file in memory get a quarter of the size; what comes by byte is a 20,000th.
`,
  rounds: 1,
  options: {
    size: { value: 'MB', read: wholeNumber(2, 8000), default: 2000, help: 'of the file' },
    warm: { value: 'FORMS', read: wholeNumber(1, 1000), default: 100, help: 'that the server takes first' }
  },
  stepsOf: ({ node, rounds, size, warm }) => Object.entries(ROWS).map(([name, row]) => ({
    name,
    take: () => measureAll(node, { ...row, warm }, size * (row.part ?? 1), rounds)
  })),
  tablesOf: (results, { size }) => [
    medianTable(`MB of peak memory above idle of a form with a file of ${size} MB`, Object.entries(results))
  ]
})

/** @returns {Promise<Record<string, (number | null)[]>>} MB by runtime; null if it fails */
async function measureAll (node, row, size, rounds) {
  const peaks = {}
  for (const [name, findCommand] of Object.entries(runtimes)) {
    const command = await findCommand(node)
    peaks[name] = []
    for (let round = 0; round < rounds; round++) peaks[name].push(await measure(command, name, row, size))
  }
  return peaks
}

async function measure ([program, ...args], name, { way, ...row }, size) {
  const folder = temporaryFolder(path.join(os.tmpdir(), 'bench-web-memory'))
  const child = spawn(program, [...args, SERVER, name, way, folder], { stdio: ['ignore', 'pipe', 'inherit'] })
  const closed = once(child, 'close')
  try {
    const [line] = await Promise.race([once(child.stdout, 'data'), closed])
    const port = Number(STATUS.exec(line)?.[0])
    if (!(port > 0)) throw new UserError(`${name} does not serve`)
    for (let i = 0; i < row.warm; i++) await upload(port, MB, { leaves: row.leaves && LEAVES_WARM })
    const idle = memoryOf(child, 'VmRSS')
    await upload(port, Math.round(size * MB), { chunk: row.chunk, leaves: row.leaves && LEAVES })
    return memoryOf(child, 'VmHWM') - idle
  } catch (error) {
    if (error instanceof UserError) throw error
    return null // it has refused the form, or has ended
  } finally {
    child.kill()
    await closed
  }
}

/** @returns {number} MB */
function memoryOf ({ pid }, field) {
  return Number(new RegExp(`${field}:\\s+(\\d+)`).exec(fs.readFileSync(`/proc/${pid}/status`, 'latin1'))[1]) / KB
}

/** Sends a form with one file, as fast as the server takes it; or leaves, after so many ms. */
async function upload (port, bytes, { chunk = 64 * KB, leaves }) {
  const length = HEAD.length + bytes + TAIL.length
  const framing = chunk === 1 ? { 'transfer-encoding': 'chunked' } : { 'content-length': length }
  const headers = { 'content-type': typeWith(BOUNDARY), ...framing }
  const req = http.request({ host: '127.0.0.1', port, method: 'POST', headers, agent: false })
  const over = once(req, 'response').catch((error) => leaves ? null : Promise.reject(error))
  if (leaves) setTimeout(() => req.destroy(), leaves)
  await Promise.race([send(req, bytes, Buffer.alloc(chunk, 'x')), over])
  const response = await over
  if (response === null) return
  const text = await new Response(response[0]).text()
  if (response[0].statusCode !== 200) throw new Error(text)
}

async function send (req, bytes, chunk) {
  req.write(HEAD)
  for (let left = bytes; left > 0; left -= chunk.length) {
    if (!req.write(chunk.subarray(0, left))) await once(req, 'drain')
  }
  req.end(TAIL)
}
