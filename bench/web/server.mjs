// A server of the Fetch standard that reads bodies in one way, in a process of
// its own: server.mjs SERVER WAY PARSER. A GET is answered with its CPU time.

import { Buffer } from 'node:buffer'
import { createRequire } from 'node:module'
import process from 'node:process'
import { promisify } from 'node:util'
import zlib from 'node:zlib'

const [name, way, parser] = process.argv.slice(2)
const require = createRequire(import.meta.url)

/** What people write without a parser. */
const native = {
  json: (request) => request.json(),
  raw: async (request) => new Uint8Array(await request.arrayBuffer()),
  text: (request) => request.text(),
  urlencoded: async (request) => Object.fromEntries(new URLSearchParams(await request.text()))
}

/** As a parser has to that checks the text, or what came of it. */
const readText = async (request) => JSON.parse(await request.text())

/** With the least that a limit, the codings, the media type and a body that was cut off need. */
async function readChecked (request) {
  const { headers } = request
  const length = Number(headers.get('content-length'))
  const coding = headers.get('content-encoding') ?? 'identity'
  const isOurs = headers.get('content-type')?.startsWith('application/json') && length <= LIMIT && coding === 'identity'
  if (!isOurs) throw new Error('not this one')
  const text = await request.text()
  if (Buffer.byteLength(text) !== length) throw new Error('cut off')
  return JSON.parse(text)
}

const gunzip = promisify(zlib.gunzip)
const LIMIT = 1024 * 1024 // bytes

/** JSON chunk by chunk, with a limit, as a careful handler reads it. */
async function readByHand (request) {
  const reader = request.body.getReader()
  const chunks = []
  let size = 0
  for (let result; !(result = await reader.read()).done;) {
    size += result.value.length
    if (size > LIMIT) throw new Error('too large')
    chunks.push(result.value)
  }
  const joined = chunks.length === 1 ? chunks[0] : Buffer.concat(chunks)
  const isCoded = request.headers.get('content-encoding') === 'gzip'
  const bytes = isCoded ? await gunzip(joined, { maxOutputLength: LIMIT }) : joined
  return JSON.parse(new TextDecoder().decode(bytes))
}

const read = {
  byHand: readByHand,
  byText: readText,
  checked: readChecked,
  native: native[parser],
  ours: require('../../lib/web/index.js')[parser]({ limit: LIMIT })
}[way]

async function answer (request) {
  if (request.method === 'GET') return Response.json(process.cpuUsage())
  return Response.json({ isRead: await read(request) !== undefined })
}

const at = { hostname: '127.0.0.1', port: 0 }
const print = ({ port }) => console.log(port)

const servers = {
  async Hono () {
    const { serve } = await import('@hono/node-server')
    const { Hono } = await import('hono')
    const app = new Hono()
    app.all('*', (context) => answer(context.req.raw))
    serve({ ...at, fetch: app.fetch }, print)
  },
  async srvx () {
    const { serve } = await import('srvx')
    const server = serve({ ...at, fetch: answer, silent: true })
    await server.ready()
    print(new URL(server.url))
  },
  async h3 () {
    const { H3, readBody, serve } = await import('h3')
    const readEvent = way === 'native' ? readBody : (event) => read(event.req)
    const app = new H3().get('/', () => process.cpuUsage())
    app.post('/', async (event) => ({ isRead: await readEvent(event) !== undefined }))
    const server = serve(app, { ...at, silent: true })
    await server.ready()
    print(new URL(server.url))
  },
  async Elysia () {
    const { Elysia } = await import('elysia')
    const app = new Elysia().get('/', () => process.cpuUsage())
    if (way === 'native') app.post('/', ({ body }) => ({ isRead: body !== undefined }))
    else app.post('/', async ({ request }) => ({ isRead: await read(request) !== undefined }), { parse: 'none' })
    print(app.listen(at).server)
  },
  Bun: () => print(globalThis.Bun.serve({ ...at, fetch: answer })),
  Deno: () => globalThis.Deno.serve({ ...at, onListen: print }, answer)
}

await servers[name]()
