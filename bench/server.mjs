// A server in a process of its own: server.mjs KIND FILE WAY FOLDER prints its port. Bodies are taken in a WAY of FILE
// in ways/, and answers with what came of it; GET /usage asks what the process has used.

import http from 'node:http'
import { createRequire } from 'node:module'
import process from 'node:process'
import { setTimeout as delay } from 'node:timers/promises'

const [kind, file, way, folder] = process.argv.slice(2)
const require = createRequire(import.meta.url)
const { peakRss } = require('../tools/lab/meter')
const take = require(`./ways/${file}`).serve(way, folder)

const SETTLE = 50 // ms before a collection, in which finished requests are released
const MOST = 2 ** 40 // bytes

/** In µs and bytes; after collections, in a process that was started with --expose-gc. */
async function usage () {
  for (let i = 0; i < 3 && globalThis.gc !== undefined; i++) {
    await delay(SETTLE)
    globalThis.gc()
  }
  const { user, system } = process.cpuUsage()
  return { cpu: user + system, now: process.memoryUsage().rss, peak: peakRss() }
}

/** @returns {Promise<[status: number, text: string]>} the answer, in ASCII */
async function answerTo (act) {
  try {
    return [200, JSON.stringify(await act() ?? null)]
  } catch (error) {
    return [500, String(error?.stack ?? error)]
  }
}

async function listen (req, res) {
  const [status, text] = await answerTo(req.url === '/usage' ? usage : () => take(req, res))
  if (!res.headersSent) res.writeHead(status, { 'content-length': text.length }).end(text)
}

async function answer (request) {
  const [status, text] = await answerTo(request.method === 'GET' ? usage : () => take(request))
  return new Response(text, { status, headers: { 'content-length': text.length } })
}

const at = { hostname: '127.0.0.1', port: 0 }
const print = ({ port }) => console.log(port)

function serveNode (listener) {
  const server = http.createServer(listener).listen(0, '127.0.0.1', () => print(server.address()))
  server.requestTimeout = 0
}

const servers = {
  'node:http': () => serveNode(listen),
  Express: () => serveNode(require('express')().use(listen)),
  async Hono () {
    const { serve } = await import('@hono/node-server')
    serve({ ...at, fetch: answer }, print).requestTimeout = 0
  },
  async srvx () {
    const { serve } = await import('srvx')
    const server = serve({ ...at, fetch: answer, silent: true })
    await server.ready()
    print(new URL(server.url))
  },
  Bun: () => print(globalThis.Bun.serve({ ...at, fetch: answer, maxRequestBodySize: MOST, idleTimeout: 0 })),
  Deno: () => globalThis.Deno.serve({ ...at, onListen: print }, answer)
}

await servers[kind]()
