'use strict'

// Forms with files, as clients write them. Each sends the same form.

const assert = require('node:assert/strict')
const { execFile } = require('node:child_process')
const { once } = require('node:events')
const fs = require('node:fs')
const http = require('node:http')
const os = require('node:os')
const path = require('node:path')
const { promisify } = require('node:util')
const { multipart } = require('../../..')

const run = promisify(execFile)
const NAME = 'naïve 論文 "q".txt'
const CONTENT = 'line 1\r\n--b\r\n\0é'

describe('forms with files of', () => {
  const parser = multipart({ limit: '10mb', files: { file: { max: 2 } } })
  const server = http.createServer((req, res) => parser(req, res, (error) => {
    const files = Object.values(req.files ?? {}).flat().map(({ bytes, ...file }) => ({ ...file, text: String(bytes) }))
    res.end(JSON.stringify(error ? { error: error.type } : { body: req.body, files }))
  }))
  let folder
  let file
  let url

  before(async () => {
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    url = `http://127.0.0.1:${server.address().port}/`
    folder = fs.mkdtempSync(path.join(os.tmpdir(), 'integration-multipart-'))
    file = path.join(folder, NAME)
    fs.writeFileSync(file, CONTENT)
  })

  after(() => {
    server.close()
    server.closeAllConnections()
    fs.rmSync(folder, { recursive: true })
  })

  const expected = {
    body: { title: 'é & "x"', tag: ['1', '2'] },
    files: [{ field: 'file', name: NAME, type: 'text/plain', size: Buffer.byteLength(CONTENT), text: CONTENT }]
  }
  const fields = [['title', 'é & "x"'], ['tag', '1'], ['tag', '2']]

  const clients = {
    async curl () {
      const escaped = file.replaceAll('"', '\\"')
      const { stdout } = await run('curl', ['-sS', url, ...fields.flatMap(([name, value]) => ['--form-string', `${name}=${value}`]), '-F', `file=@"${escaped}";type=text/plain`])
      return JSON.parse(stdout)
    },
    async fetch () {
      const form = new FormData()
      for (const [name, value] of fields) form.append(name, value)
      form.append('file', new Blob([CONTENT], { type: 'text/plain' }), NAME)
      return (await fetch(url, { method: 'POST', body: form })).json()
    },
    async 'axios with form-data' () {
      const FormData = require('form-data')
      const form = new FormData()
      for (const [name, value] of fields) form.append(name, value)
      form.append('file', Buffer.from(CONTENT), { filename: NAME, contentType: 'text/plain' })
      return (await require('axios').post(url, form, { headers: form.getHeaders() })).data
    },
    async superagent () {
      let request = require('superagent').post(url)
      for (const [name, value] of fields) request = request.field(name, value)
      const { text } = await request.attach('file', Buffer.from(CONTENT), { filename: NAME, contentType: 'text/plain' })
      return JSON.parse(text)
    },
    async 'requests of Python' () {
      const script = 'import json, sys, requests\nurl, path, name, fields = sys.argv[1:]\nprint(requests.post(url, data=json.loads(fields), files={"file": (name, open(path, "rb"), "text/plain")}).text)'
      const { stdout } = await run('python3', ['-c', script, url, file, NAME, JSON.stringify(fields)])
      return JSON.parse(stdout)
    }
  }

  for (const [name, send] of Object.entries(clients)) {
    it(`${name} are read as they were meant`, async () => assert.deepEqual(await send(), expected))
  }
})
