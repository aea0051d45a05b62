'use strict'

// The programs of docs/troubleshooting.md, each asked what its last lines say.

const assert = require('node:assert/strict')
const { once } = require('node:events')
const fs = require('node:fs')
const http = require('node:http')
const path = require('node:path')
const { ask, createProject, programsOf, requireCurl, serve } = require('../support/program')
const { ROOT, remove } = require('../support/project')

const page = fs.readFileSync(path.join(ROOT, 'docs/troubleshooting.md'), 'utf8')
const programs = programsOf(page)

describe('docs/troubleshooting.md', () => {
  let folder
  let upstream

  before(requireCurl)

  before(async function () {
    this.timeout(60_000) // ms; npm packs
    folder = await createProject()
    upstream = http.createServer((req, res) => req.pipe(res)).listen(0, '127.0.0.1')
    await once(upstream, 'listening')
  })

  after(() => {
    upstream?.closeAllConnections()
    upstream?.close()
    remove(folder)
  })

  const start = (code, use) =>
    serve(folder, code.replace('localhost:4000', `127.0.0.1:${upstream.address().port}`), use)

  for (const { title, code, requests } of programs) {
    it(`has a program that runs: ${title}`, async () => {
      assert.ok(requests.length > 0)
      await start(code, (url) => ask(url, requests))
    })
  }
})
