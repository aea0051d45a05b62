'use strict'

// Forms in routes of frameworks of the Fetch standard, each a program of its own; Next.js is in ./next.js.

const assert = require('node:assert/strict')
const path = require('node:path')
const esbuild = require('esbuild')
const { createFolder, remove, write } = require('../support/project')
const { RUNTIMES, Server } = require('../support/server')

const PROGRAMS = path.join(__dirname, 'programs/forms')
const { 'Node.js': node, Bun: bun } = RUNTIMES
const deno = [...RUNTIMES.Deno, '--unstable-no-legacy-abort']

/** Name -> the command, and its program; `workerd` needs a bundle. */
const servers = {
  'Hono on Node.js': [...node, 'hono.mjs'],
  'Hono on Bun': [...bun, 'hono.mjs'],
  'Hono on Deno': [...deno, 'hono.mjs'],
  'React Router': [...node, 'react-router.mjs'],
  Elysia: [...bun, 'elysia.mjs'],
  tRPC: [...node, 'trpc.mjs'],
  Nuxt: [...node, 'nuxt.mjs'],
  'Azure Functions': [...node, 'azure.mjs'],
  workerd: null
}

const CONFIG = `using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  services = [(name = "main", worker = .main)],
  sockets = [(name = "http", address = "127.0.0.1:0", http = (), service = "main")]
);
const main :Workerd.Worker = (
  modules = [(name = "worker", esModule = embed "worker.js")],
  compatibilityDate = "2026-01-01"
);`

/** What runs in Cloudflare's Workers, which has none of Node's modules. @returns {string[]} a command */
async function buildWorker (folder) {
  const outfile = path.join(folder, 'worker.js')
  const entry = path.join(PROGRAMS, 'worker.mjs')
  await esbuild.build({ entryPoints: [entry], bundle: true, platform: 'browser', format: 'esm', minify: true, outfile })
  write(folder, { 'config.capnp': CONFIG })
  return [require('workerd').default, 'serve', path.join(folder, 'config.capnp'), '--control-fd=1']
}

function formOf (size) {
  const data = new FormData()
  data.append('a', 'é')
  data.append('f', new File(['x'.repeat(size)], 'ü.bin'))
  return data
}

for (const [name, command] of Object.entries(servers)) {
  describe(`a form in a route of ${name}`, () => {
    let folder
    let server

    before(async () => {
      folder = createFolder()
      server = await Server.start(command ?? await buildWorker(folder), PROGRAMS)
    })

    after(() => {
      server.stop()
      remove(folder)
    })

    it('is read', async () => {
      const answer = { fields: { a: 'é' }, file: ['ü.bin', 900_000] }
      assert.deepEqual(await server.post('/upload', formOf(900_000)), [200, answer])
    })

    it('is refused if a file is over its limit', async () => {
      const [status, { code }] = await server.post('/upload', formOf(3_000_000))
      assert.deepEqual([status, code], [413, 'multipart.file.too.large'])
    })

    it('is an error, and not empty, if other code has read it before', async () => {
      const [status, problem] = await server.post('/upload?before', formOf(3))
      assert.deepEqual([status, problem], [500, { type: 'about:blank', title: 'Internal Server Error', status: 500 }])
    })
  })
}
