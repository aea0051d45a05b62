// A server of the Fetch standard that reads bodies in one way, in a process of
// its own: server.mjs SERVER WAY PARSER. A GET is answered with its CPU time.

import { createRequire } from 'node:module'
import process from 'node:process'

const [name, way, parser] = process.argv.slice(2)
const require = createRequire(import.meta.url)

/** What people write without a parser. */
const native = {
  json: (request) => request.json(),
  raw: async (request) => new Uint8Array(await request.arrayBuffer()),
  text: (request) => request.text(),
  urlencoded: async (request) => Object.fromEntries(new URLSearchParams(await request.text()))
}

const read = {
  native: native[parser],
  ours: require('../../lib/web/index.js')[parser]({ limit: '1mb' })
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
  Bun: () => print(globalThis.Bun.serve({ ...at, fetch: answer })),
  Deno: () => globalThis.Deno.serve({ ...at, onListen: print }, answer)
}

await servers[name]()
