'use strict'

// Forms with files, as clients write them. Each sends the same form.

const assert = require('node:assert/strict')
const { EventEmitter, once } = require('node:events')
const fs = require('node:fs')
const path = require('node:path')
const { multipart } = require('../../..')
const LocalServer = require('../../../tools/local-server')
const { createFolder, remove, run, write } = require('../support/project')

const NAME = 'naïve 論文 "q".txt'
const CONTENT = 'line 1\r\n--b\r\n\0é'
const NAMES = ['論文 “é” 🎉.txt', 'naïve "q"; ёж=1.txt'] // of files that the browser sends
const PAGE = `<!DOCTYPE html><meta charset="utf-8"><title>form</title>
<form method="post" enctype="multipart/form-data" target="answer">
  <p><input name="title" value="é &amp; &quot;x&quot;">
  <p><input type="file" name="file" multiple> <button>Send</button>
</form>
<iframe name="answer" width="760" height="300"></iframe>
<script>
const chosen = new DataTransfer()
for (const name of ${JSON.stringify(NAMES)}) chosen.items.add(new File([name], name, { type: 'text/plain' }))
document.querySelector('[type=file]').files = chosen.files
document.forms[0].submit()
</script>`

const fields = [['title', 'é & "x"'], ['tag', '1'], ['tag', '2']]
const textFile = (name, text) =>
  ({ field: 'file', name, folder: '', type: 'text/plain', size: Buffer.byteLength(text), text })

/** How each sends the form. */
const clients = {
  async curl (url, file) {
    const escaped = file.replaceAll('"', '\\"')
    const { stdout } = await run('curl', [
      '-sS', url, ...fields.flatMap(([name, value]) => ['--form-string', `${name}=${value}`]), '-F',
      `file=@"${escaped}";type=text/plain`
    ])
    return JSON.parse(stdout)
  },
  async fetch (url) {
    const form = new FormData()
    for (const [name, value] of fields) form.append(name, value)
    form.append('file', new Blob([CONTENT], { type: 'text/plain' }), NAME)
    return (await fetch(url, { method: 'POST', body: form })).json()
  },
  async 'axios with form-data' (url) {
    const FormData = require('form-data')
    const form = new FormData()
    for (const [name, value] of fields) form.append(name, value)
    form.append('file', Buffer.from(CONTENT), { filename: NAME, contentType: 'text/plain' })
    return (await require('axios').post(url, form, { headers: form.getHeaders() })).data
  },
  async 'requests of Python' (url, file) {
    const script = `import json, sys, requests
url, path, name, fields = sys.argv[1:]
files = {"file": (name, open(path, "rb"), "text/plain")}
print(requests.post(url, data=json.loads(fields), files=files).text)`
    const { stdout } = await run('python3', ['-c', script, url, file, NAME, JSON.stringify(fields)])
    return JSON.parse(stdout)
  }
}

async function findBrowser () {
  for (const name of [process.env.CHROMIUM, 'chromium', 'chromium-browser', 'google-chrome'].filter(Boolean)) {
    if (await run(name, ['--version']).then(() => true, () => false)) return name
  }
  return null
}

describe('forms with files of', () => {
  const parser = multipart({ limit: '10mb', files: { file: { max: 2 } } })
  const forms = new EventEmitter()
  let folder
  let server
  let url

  before(async () => {
    folder = createFolder()
    write(folder, { [NAME]: CONTENT })
    server = await LocalServer.open((req, res) => {
      res.setHeader('Content-Type', req.method === 'GET' ? 'text/html' : 'application/json; charset=utf-8')
      if (req.method === 'GET') return res.end(PAGE)
      parser(req, res, (error) => {
        const files = req.files?.file.map(({ bytes, ...file }) => ({ ...file, text: String(bytes) }))
        const answer = error ? { error: error.type } : { body: req.body, files }
        res.end(JSON.stringify(answer, null, 1))
        forms.emit('form', answer)
      })
    })
    url = `http://127.0.0.1:${server.port}/`
  })

  after(() => {
    server.close()
    remove(folder)
  })

  it('a page in Chromium are read as they were meant, with two files', async function () {
    const browser = await findBrowser()
    if (browser === null) return this.skip()
    const received = once(forms, 'form')
    const screenshot = process.env.SCREENSHOT ?? path.join(folder, 'form.png')
    await run(browser, [
      '--headless', '--no-sandbox', '--disable-gpu', '--hide-scrollbars',
      `--user-data-dir=${path.join(folder, 'chromium')}`, '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1',
      '--timeout=10000', '--virtual-time-budget=5000', `--screenshot=${screenshot}`, url
    ])
    const expected = { body: { title: 'é & "x"' }, files: NAMES.map((name) => textFile(name, name)) }
    assert.deepEqual(await received, [expected])
    assert.ok(fs.statSync(screenshot).size > 1000)
  })

  for (const [name, send] of Object.entries(clients)) {
    it(`${name} are read as they were meant`, async () => {
      const expected = { body: { title: 'é & "x"', tag: ['1', '2'] }, files: [textFile(NAME, CONTENT)] }
      assert.deepEqual(await send(url, path.join(folder, NAME)), expected)
    })
  }
})
