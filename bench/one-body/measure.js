'use strict'

// The memory and the CPU time that a server takes for one large body, as Linux tells them of any process.

const { once } = require('node:events')
const fs = require('node:fs')
const http = require('node:http')
const os = require('node:os')
const path = require('node:path')
const { temporaryFolder } = require('../../tools/atomic-write')
const runtimes = require('../suite/runtimes')
const startServer = require('../suite/start-server')

const SERVER = path.join(__dirname, 'server.mjs')
const TICKS = 100 // of the kernel's CPU time in a second

/**
 * @param {keyof runtimes} runtime
 * @param {{ path: string }} node
 * @param {string} way of ./server.mjs
 * @param {(port: number) => Promise<void>} warm what the server gets before its memory is that of an idle one
 * @param {(port: number) => Promise<void>} send
 * @returns {Promise<{ memory: number, cpu: number }>} bytes above the idle server, at most; s
 */
async function measureBody (runtime, node, way, warm, send) {
  const folder = temporaryFolder(path.join(os.tmpdir(), 'bench-one-body'))
  const command = [...await runtimes[runtime](node), SERVER, runtime, way, folder]
  const server = await startServer(command, { DATABASE: path.join(folder, 'database') }) // of an example
  try {
    await warm(server.port)
    const before = usageOf(server)
    await send(server.port)
    const after = usageOf(server)
    return { memory: after.peak - before.now, cpu: after.cpu - before.cpu }
  } finally {
    await server.close()
  }
}

function usageOf ({ pid }) {
  const status = fs.readFileSync(`/proc/${pid}/status`, 'latin1')
  const [, , ...fields] = fs.readFileSync(`/proc/${pid}/stat`, 'latin1').replace(/\(.*\)/s, '').split(' ')
  const bytesOf = (field) => Number(new RegExp(`${field}:\\s+(\\d+)`).exec(status)[1]) * 1024
  return { now: bytesOf('VmRSS'), peak: bytesOf('VmHWM'), cpu: (Number(fields[10]) + Number(fields[11])) / TICKS }
}

/**
 * Sends a body as fast as the server takes it.
 *
 * @param {number} port
 * @param {object} body
 * @param {string} body.type
 * @param {string} body.head
 * @param {Buffer} body.chunk which is sent again and again
 * @param {number} body.bytes of all chunks
 * @param {string} body.tail
 * @param {string} [body.path]
 * @param {boolean} [body.isChunked] without a declared length
 * @param {number} [body.leaves] ms after which the client leaves
 * @returns {Promise<string | null>} the answer; null if the client has left
 */
async function sendBody (port, { type, head, chunk, bytes, tail, path = '/', isChunked, leaves }) {
  const length = Buffer.byteLength(head) + bytes + tail.length
  const framing = isChunked ? { 'transfer-encoding': 'chunked' } : { 'content-length': length }
  const headers = { 'content-type': type, ...framing }
  const req = http.request({ host: '127.0.0.1', port, path, method: 'PUT', headers, agent: false })
  const over = once(req, 'response').catch((error) => leaves ? null : Promise.reject(error))
  if (leaves) setTimeout(() => req.destroy(), leaves)
  await Promise.race([write(req, head, chunk, bytes, tail), over])
  const response = await over
  if (response === null) return null
  const text = await new Response(response[0]).text()
  if (response[0].statusCode >= 300) throw new Error(`a body was refused: ${text}`)
  return text
}

async function write (req, head, chunk, bytes, tail) {
  req.write(head)
  for (let left = bytes; left > 0; left -= chunk.length) {
    if (!req.write(chunk.subarray(0, left))) await once(req, 'drain')
  }
  req.end(tail)
}

module.exports = { measureBody, sendBody }
