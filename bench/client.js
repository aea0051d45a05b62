'use strict'

// What the servers of bench/ are sent.

const { once } = require('node:events')
const http = require('node:http')
const RawLoad = require('../tools/lab/raw-load')

/** @returns {Promise<{ cpu: number, now: number, peak: number }>} us of CPU time; bytes of memory, now and at most */
const usageOf = async (port) => (await fetch(`http://127.0.0.1:${port}/usage`)).json()

/** Sends a request so many times: the next one on a connection once it has its response. */
async function sendAll (port, request, amount, connections) {
  const requests = [{ ...request, expected: { status: 200, body: 'null' } }]
  const load = await RawLoad.open({ port, requests, connections: Math.min(connections, amount) })
  try {
    await load.run({ amount })
  } finally {
    load.close()
  }
}

/** @returns {Promise<number>} us of CPU time of the server for a request */
async function costOf (port, request, amount, connections) {
  const before = await usageOf(port)
  await sendAll(port, request, amount, connections)
  return ((await usageOf(port)).cpu - before.cpu) / amount
}

/**
 * Sends a body as fast as the server takes it: a chunk again and again, between its head and its tail.
 *
 * @param {number} port
 * @param {{ type: string, head: string, chunk: Buffer, bytes: number, tail: string, path?: string, isChunked?: boolean,
 *   leaves?: number }} body `bytes`: of all chunks; `leaves`: ms after which the client leaves
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

module.exports = { costOf, sendAll, sendBody, usageOf }
