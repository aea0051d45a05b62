// A server that takes large bodies in one way, in a process of its own: server.mjs RUNTIME WAY FOLDER prints its port.

import fs from 'node:fs'
import { createServer } from 'node:http'
import { createRequire } from 'node:module'
import process from 'node:process'
import { Readable } from 'node:stream'

const [runtime, way, folder] = process.argv.slice(2)
const require = createRequire(import.meta.url)
const { json, jsonArray, multipart, ndjson } = require('../../index.js')
const web = require('../../lib/web/index.js')

const MOST = 2 ** 40 // bytes
const options = { limit: 2 * MOST, files: { '*': { size: MOST } } }
const SLOW = 1024 * 1024 // bytes between two pauses of a slow store
const PAUSE = 5 // ms

async function discard (stream) {
  for await (const chunk of stream) if (chunk.length === 0) throw new Error('a chunk without bytes')
}

async function discardSlowly ({ stream }) {
  let left = SLOW
  for await (const chunk of stream) {
    left -= chunk.length
    if (left > 0) continue
    left = SLOW
    await new Promise((resolve) => setTimeout(resolve, PAUSE))
  }
}

const run = (middleware, req, res) => new Promise((resolve, reject) => {
  middleware(req, res, (error) => error === undefined ? resolve() : reject(error))
})

/** Ways of node:http to take a form, by their names in the picture. @type {Record<string, Function>} */
const uploads = {
  'node:http alone, discarded': discard,

  async 'fast-body-parser, part by part' (req, res) {
    for await (const part of multipart(options).parts(req, res)) {
      if (part.stream !== undefined) await discard(part.stream)
    }
  },

  'fast-body-parser, to disk': (req, res) => run(multipart({ ...options, store: multipart.disk(folder) }), req, res),

  async 'multer, to disk' (req, res) {
    await run(require('multer')({ dest: folder }).any(), req, res)
    for (const file of req.files) fs.unlinkSync(file.path)
  },

  async 'formidable, to disk' (req) {
    const { formidable } = require('formidable')
    const [, files] = await formidable({ uploadDir: folder, maxFileSize: MOST, maxTotalFileSize: MOST }).parse(req)
    for (const file of Object.values(files).flat()) fs.unlinkSync(file.filepath)
  },

  'multer, to memory': (req, res) => run(require('multer')({ storage: require('multer').memoryStorage() }).any(), req, res),

  'request.formData() of Node.js' (req) {
    const init = { method: 'POST', headers: req.headers, body: Readable.toWeb(req), duplex: 'half' }
    return new Request('http://localhost/', init).formData()
  }
}

/** Ways to take the form of a Request. @type {Record<string, (request: Request) => Promise<void>>} */
const forms = {
  'the stream alone, discarded': (request) => discard(request.body),
  'a store that discards': readWith(({ stream }) => discard(stream)),
  'a slow store': readWith(discardSlowly),
  'multipart.disk': readWith(folder === undefined ? 'memory' : web.multipart.disk(folder)),
  'a store that never reads': readWith(() => new Promise(() => {})),
  async 'part by part' (request) {
    for await (const { stream } of web.multipart(options).parts(request)) if (stream !== undefined) await discard(stream)
  },
  async '@remix-run/multipart-parser' (request) {
    const { parseMultipartRequest } = await import('@remix-run/multipart-parser')
    const limits = { maxFileSize: MOST, maxTotalSize: MOST }
    for await (const part of parseMultipartRequest(request, limits)) if (part.size < 0) throw new Error('no content')
  },
  'formData()': (request) => request.formData()
}

function readWith (store) {
  const readForm = web.multipart({ ...options, store })
  return async (request) => { await (await readForm(request)).dispose() }
}

/** Parsers of records, which an app of Express counts. */
const records = {
  'json()': () => json({ limit: '4gb' }),
  'json({ cooperative: true })': () => json({ limit: '4gb', cooperative: true }),
  'jsonArray()': () => jsonArray({ limit: '4gb' }),
  'ndjson()': () => ndjson({ limit: '4gb' })
}

function countingApp (parse) {
  const app = require('express')()
  app.put('/*any', parse, async (req, res) => {
    let count = 0
    for await (const record of req.body) if (record.id > 0) count++
    res.json({ items: count })
  })
  return app
}

async function answerUpload (req, res) {
  try {
    await uploads[way](req, res)
    res.end()
  } catch (error) {
    res.writeHead(500).end(error.stack)
  }
}

async function answerForm (request) {
  try {
    await forms[way](request)
    return new Response('done')
  } catch (error) {
    return new Response(String(error?.stack), { status: 500 })
  }
}

const at = { hostname: '127.0.0.1', port: 0 }
const print = ({ port }) => console.log(port)

function serveNode (handler) {
  const server = createServer(handler).listen(0, '127.0.0.1', () => print(server.address()))
  server.requestTimeout = 0
}

const servers = {
  async Node () {
    const { serve } = await import('@hono/node-server')
    serve({ ...at, fetch: answerForm }, print).requestTimeout = 0
  },
  Bun: () => print(globalThis.Bun.serve({ ...at, fetch: answerForm, maxRequestBodySize: MOST, idleTimeout: 0 })),
  Deno: () => globalThis.Deno.serve({ ...at, onListen: print }, answerForm)
}

if (way in uploads) serveNode(answerUpload)
else if (way in records) serveNode(countingApp(records[way]()))
else if (way === 'examples/json-import.js') serveNode(require('../../examples/json-import'))
else await servers[runtime]()
