'use strict'

// Forms in routes of frameworks of the Fetch standard, each a program of its own; Next.js is in ./next.js.

const assert = require('node:assert/strict')
const fs = require('node:fs')
const os = require('node:os')
const path = require('node:path')
const esbuild = require('esbuild')
const { RUNTIMES, startServer } = require('../support/server')

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
  fs.writeFileSync(path.join(folder, 'config.capnp'), CONFIG)
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
    let child
    let port

    before(async () => {
      folder = fs.mkdtempSync(path.join(os.tmpdir(), 'web-forms-'))
      ;({ child, port } = await startServer(command ?? await buildWorker(folder), PROGRAMS))
    })

    after(() => {
      child.kill()
      fs.rmSync(folder, { recursive: true })
    })

    async function send (route, body, headers) {
      const response = await fetch(`http://127.0.0.1:${port}/${route}`, { method: 'POST', headers, body })
      return [response.status, await response.json()]
    }

    for (const size of [3, 900_000]) {
      it(`is read, with a file of ${size} bytes`, async () => {
        const answer = { fields: { a: 'é' }, files: [['ü.bin', size, size]] }
        assert.deepEqual(await send('upload', formOf(size)), [200, answer])
      })
    }

    it('is refused if a file is over its limit, or if it is cut', async () => {
      const [tooLarge, { code }] = await send('upload', formOf(3_000_000))
      assert.deepEqual([tooLarge, code], [413, 'multipart.file.too.large'])
      const cut = '--b\r\nContent-Disposition: form-data; name="f"; filename="x"\r\n\r\n1'
      const [status, problem] = await send('upload', cut, { 'content-type': 'multipart/form-data; boundary=b' })
      assert.deepEqual([status, problem.code], [400, 'multipart.unterminated'])
    })

    it('is an error, and not empty, if other code has read it before', async () => {
      const [status, problem] = await send('before', formOf(3))
      assert.deepEqual([status, problem], [500, { type: 'about:blank', title: 'Internal Server Error', status: 500 }])
    })

    it('cannot be read by other code afterwards', async () => {
      assert.deepEqual(await send('after', formOf(3)), [200, { other: 'an error' }])
    })
  })
}
