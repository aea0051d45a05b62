'use strict'

// Forms with files, as clients write them. Each sends the same form.

const assert = require('node:assert/strict')
const { execFile } = require('node:child_process')
const { EventEmitter, once } = require('node:events')
const fs = require('node:fs')
const http = require('node:http')
const os = require('node:os')
const path = require('node:path')
const { promisify } = require('node:util')
const { multipart } = require('../../..')

const run = promisify(execFile)
const NAME = 'naïve 論文 "q".txt'
const CONTENT = 'line 1\r\n--b\r\n\0é'

async function findBrowser () {
  for (const name of [process.env.CHROMIUM, 'chromium', 'chromium-browser', 'google-chrome'].filter(Boolean)) {
    if (await run(name, ['--version']).then(() => true, () => false)) return name
  }
  return null
}

describe('forms with files of', () => {
  const parser = multipart({ limit: '10mb', files: { file: { max: 2 } } })
  const forms = new EventEmitter()
  const pages = new Map()
  const server = http.createServer((req, res) => parser(req, res, (error) => {
    if (req.method === 'GET') {
      res.setHeader('Content-Type', 'text/html')
      return res.end(pages.get(req.url))
    }
    const files = Object.values(req.files ?? {}).flat().map(({ bytes, ...file }) => ({ ...file, text: String(bytes) }))
    const answer = error ? { error: error.type } : { body: req.body, files }
    res.setHeader('Content-Type', 'application/json; charset=utf-8')
    res.end(JSON.stringify(answer, null, 1))
    forms.emit('form', answer)
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
    files: [
      { field: 'file', name: NAME, folder: '', type: 'text/plain', size: Buffer.byteLength(CONTENT), text: CONTENT }
    ]
  }
  const fields = [['title', 'é & "x"'], ['tag', '1'], ['tag', '2']]

  const clients = {
    async curl () {
      const escaped = file.replaceAll('"', '\\"')
      const { stdout } = await run('curl', [
        '-sS', url, ...fields.flatMap(([name, value]) => ['--form-string', `${name}=${value}`]), '-F',
        `file=@"${escaped}";type=text/plain`
      ])
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
      const script = `import json, sys, requests
url, path, name, fields = sys.argv[1:]
files = {"file": (name, open(path, "rb"), "text/plain")}
print(requests.post(url, data=json.loads(fields), files=files).text)`
      const { stdout } = await run('python3', ['-c', script, url, file, NAME, JSON.stringify(fields)])
      return JSON.parse(stdout)
    }
  }

  it('a page in Chromium are read as they were meant, with two files', async function () {
    const browser = await findBrowser()
    if (browser === null) return this.skip()
    const names = ['論文 “é” 🎉.txt', 'naïve "q"; ёж=1.txt']
    const page = `<!DOCTYPE html><meta charset="utf-8"><title>form</title>
<form method="post" enctype="multipart/form-data" target="answer">
  <p><input name="title" value="é &amp; &quot;x&quot;">
  <p><input type="file" name="file" multiple> <button>Send</button>
</form>
<iframe name="answer" width="760" height="300"></iframe>
<script>
const chosen = new DataTransfer()
for (const name of ${JSON.stringify(names)}) chosen.items.add(new File([name], name, { type: 'text/plain' }))
document.querySelector('[type=file]').files = chosen.files
document.forms[0].submit()
</script>`
    const received = once(forms, 'form')
    pages.set('/page', page)
    const screenshot = process.env.SCREENSHOT ?? path.join(folder, 'form.png')
    await run(browser, [
      '--headless', '--no-sandbox', '--disable-gpu', '--hide-scrollbars',
      `--user-data-dir=${path.join(folder, 'chromium')}`, '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1',
      '--timeout=10000', '--virtual-time-budget=5000', `--screenshot=${screenshot}`, `${url}page`
    ])
    const [{ body, files }] = await received
    assert.deepEqual(body, { title: 'é & "x"' })
    assert.deepEqual(files,
      names.map((name) => ({
        field: 'file',
        name,
        folder: '',
        type: 'text/plain',
        size: Buffer.byteLength(name),
        text: name
      })))
    assert.ok(fs.statSync(screenshot).size > 1000)
  })

  for (const [name, send] of Object.entries(clients)) {
    it(`${name} are read as they were meant`, async () => assert.deepEqual(await send(), expected))
  }
})
