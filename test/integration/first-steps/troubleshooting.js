'use strict'

// What docs/troubleshooting.md says: its programs, its messages, and what DEBUG
// prints.

const assert = require('node:assert/strict')
const { once } = require('node:events')
const fs = require('node:fs')
const http = require('node:http')
const path = require('node:path')
const { setImmediate: turn } = require('node:timers/promises')
const zlib = require('node:zlib')
const { ask, createProject, programsOf, requireCurl, serve } = require('../support/program')
const { ROOT, remove, run } = require('../support/project')

const page = fs.readFileSync(path.join(ROOT, 'docs/troubleshooting.md'), 'utf8')
const JSON_TYPE = { 'content-type': 'application/json' }
const programs = programsOf(page)
const codeOf = (name) => programs.find(({ title }) => title.startsWith(name)).code
const textOf = (cell) => cell.slice(1, -1).replaceAll('\\n', '\n')
const rowsOf = (title) =>
  Array.from(page.split(`## ${title}\n`)[1].split(/^## /m)[0].matchAll(/^\| `.*$/gm), ([row]) => row.split(' | '))

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

  const commands = { // by the lines that DEBUG prints
    none: "curl localhost:3000/before --json '{}'",
    '`content-type "application/x-www-form-urlencoded"`, `skip parsing`': 'curl localhost:3000/after -d {}',
    '`content-type undefined`, `skip parsing`': "curl localhost:3000/after -d {} -H 'Content-Type:'",
    '`content-type "multipart/form-data; ..."`, `skip parsing`': 'curl localhost:3000/after -F a=b',
    '`skip empty body`': 'curl localhost:3000/after -X POST',
    '`body already parsed`': "curl localhost:3000/twice --json '{}'"
  }

  it('shows what DEBUG prints', async () => {
    const [, first] = page.split(/^## /m).slice(1)[0].split('|---|---|---|\n')
    assert.deepEqual(first.split('\n\n')[0].split('\n').map((row) => row.slice(2).split(' | ')[0]),
      Object.keys(commands))
    const code = codeOf('req.body').replace('app.use(refuse',
      "app.post('/twice', json(), (req, res) => res.end())\napp.use(refuse")
    process.env.DEBUG = 'body-parser:*'
    try {
      await start(code, async (url, log) => {
        let seen = 0
        for (const [lines, command] of Object.entries(commands)) {
          await run('sh', ['-c', command.replace('curl localhost:3000', `curl -s ${url.slice(0, -1)}`)])
          const wanted = Array.from(lines.matchAll(/`(.*?)`/g), ([, line]) => ` body-parser:json ${line}`)
          const printed = () => log().slice(seen).replace(/boundary=[^"]*/, '...')
          while (!wanted.every((line) => printed().includes(line))) await turn()
          seen = log().length
        }
        // The line is of the second request.
        assert.match(log(), /^\S+ body-parser:json content-type "application\/x-www-form-urlencoded"/)
      })
    } finally {
      delete process.env.DEBUG
    }
  })

  it('quotes messages of JSON errors', async () => {
    const rows = rowsOf('400: the JSON is not valid')
    assert.equal(rows.length, 6)
    const code = codeOf('Errors').replace('error.type', 'error.message')
    await start(code, async (url) => {
      for (const [message, body] of rows) {
        const response = await fetch(url, { method: 'POST', headers: JSON_TYPE, body: textOf(body) })
        const { error } = await response.json()
        assert.ok(error.startsWith(message.slice(3, -1)), error) // newer engines add the line and the column
      }
    })
  })

  it('names a parser that takes what it quotes of records', async () => {
    const [, body] = rowsOf('400: the JSON is not valid').find((row) => row.join().includes('ndjson('))
    await start(codeOf('JSON comes'), async (url) => {
      const response = await fetch(`${url}records`, { method: 'POST', headers: JSON_TYPE, body: textOf(body) })
      assert.deepEqual(await response.json(), { count: 3 })
    })
  })

  it('has a parser of GBK that refuses more fields than it takes', async () => {
    const headers = { 'content-type': 'application/x-www-form-urlencoded' }
    await start(codeOf('415 or 400'), async (url) => {
      const send = (count) => {
        const body = Array.from({ length: count }, (_, index) => `a${index}=%D6%D0`).join('&')
        return fetch(url, { method: 'POST', headers, body })
      }
      const { status } = await send(1001)
      const body = await (await send(1000)).json()
      assert.deepEqual([status, Object.keys(body).length, body.a999], [413, 1000, '中'])
    })
  })

  it('says what a proxy does behind a parser without fixRequestBody', async () => {
    const code = codeOf('A proxy').replace('on: { proxyReq: fixRequestBody }', 'proxyTimeout: 200')
    await start(code, async (url) => {
      const statusOf = async (path) =>
        (await fetch(new URL(path, url), { method: 'POST', headers: JSON_TYPE, body: '{}' })).status
      assert.deepEqual([await statusOf('before'), await statusOf('after')], [200, 504])
    })
  })

  it('says what fixRequestBody does to integers and compressed bodies', async () => {
    await start(codeOf('A proxy'), async (url) => {
      const arrived = once(upstream, 'request')
      const headers = { ...JSON_TYPE, 'content-encoding': 'gzip' }
      const response = await fetch(`${url}after`, {
        method: 'POST',
        headers,
        body: zlib.gzipSync('{"a":9007199254740993}')
      })
      assert.equal(await response.text(), '{"a":9007199254740992}')
      const [req] = await arrived
      assert.equal(req.headers['content-encoding'], 'gzip')
    })
  })
})
