// A server of the Fetch standard that takes forms in one way, in a process of its own: server.mjs SERVER WAY FOLDER.

import { createServer } from 'node:http'
import { createRequire } from 'node:module'
import process from 'node:process'
import { parseMultipartRequest } from '@remix-run/multipart-parser'

const [name, way, folder] = process.argv.slice(2)
const require = createRequire(import.meta.url)
const { multipart } = require('../../lib/web/index.js')

const MOST = 2 ** 40 // bytes
const options = { limit: 2 * MOST, files: { '*': { size: MOST } } }
const SLOW = 1024 * 1024 // bytes between two pauses of a slow store
const PAUSE = 5 // ms

async function discard (file) {
  let size = 0
  for await (const chunk of file.stream) size += chunk.length
  return size
}

async function discardSlowly (file) {
  let left = SLOW
  for await (const chunk of file.stream) {
    left -= chunk.length
    if (left > 0) continue
    left = SLOW
    await new Promise((resolve) => setTimeout(resolve, PAUSE))
  }
}

const never = () => new Promise(() => {})

/** @type {Record<string, (request: Request) => Promise<void>>} */
const ways = {
  alone: (request) => discard({ stream: request.body }),
  discard: whole({ ...options, store: discard }),
  slow: whole({ ...options, store: discardSlowly }),
  disk: whole(folder === undefined ? {} : { ...options, store: multipart.disk(folder) }),
  unread: whole({ ...options, store: never }),
  async parts (request) {
    for await (const part of multipart(options).parts(request)) if (part.stream !== undefined) await discard(part)
  },
  async 'multipart-parser' (request) {
    const limits = { maxFileSize: MOST, maxTotalSize: MOST }
    for await (const part of parseMultipartRequest(request, limits)) if (part.size < 0) throw new Error('no content')
  },
  'formData()': (request) => request.formData()
}

function whole (options) {
  const readForm = multipart(options)
  return async (request) => { await (await readForm(request)).dispose() }
}

async function answer (request) {
  try {
    await ways[way](request)
    return new Response('done')
  } catch (error) {
    return new Response(String(error?.stack), { status: 500 })
  }
}

const at = { hostname: '127.0.0.1', port: 0 }
const print = ({ port }) => console.log(port)
const servers = {
  async Node () {
    const { serve } = await import('@hono/node-server')
    serve({ ...at, fetch: answer }, print).requestTimeout = 0
  },
  Bun: () => print(globalThis.Bun.serve({ ...at, fetch: answer, maxRequestBodySize: MOST, idleTimeout: 0 })),
  Deno: () => globalThis.Deno.serve({ ...at, onListen: print }, answer)
}

/** Without a Request and its stream: what the chunks alone take. */
const discardAll = (req, res) => req.on('data', () => {}).on('end', () => res.end('done'))

if (way === 'node:http') createServer(discardAll).listen(0, '127.0.0.1', function () { print(this.address()) })
else await servers[name]()
