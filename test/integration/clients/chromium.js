'use strict'

// A browser: forms, fetch, XMLHttpRequest and beacons of a page.

const { execFile, spawn } = require('node:child_process')
const { once } = require('node:events')
const fs = require('node:fs')
const http = require('node:http')
const { text: readText } = require('node:stream/consumers')
const os = require('node:os')
const path = require('node:path')
const { promisify } = require('node:util')
const client = require('../support/clients')

const BROWSERS = [process.env.CHROMIUM, 'chromium', 'chromium-browser', 'google-chrome'].filter(Boolean)

let browser

async function find () {
  for (const name of BROWSERS) {
    browser = await promisify(execFile)(name, ['--version']).then(() => name, () => undefined)
    if (browser !== undefined) return
  }
  throw new Error('set CHROMIUM to a browser')
}

// Its hash is the port to which it reports what it was answered.
const page = `<!DOCTYPE html><meta charset="utf-8"><title>page</title><body><script>
function submit (attributes, fields) {
  return new Promise((resolve) => {
    const frame = document.createElement('iframe')
    frame.name = 'frame' + Math.random()
    const form = document.createElement('form')
    Object.assign(form, { method: 'post', action: '/', target: frame.name }, attributes)
    for (const [name, value] of fields) {
      const field = document.createElement('input')
      Object.assign(field, { type: 'hidden', name, value })
      form.append(field)
    }
    document.body.append(frame, form)
    frame.onload = () => {
      const text = frame.contentDocument.body.textContent
      if (text !== '') resolve(JSON.parse(text))
    }
    form.submit()
  })
}
const ask = async (init) => (await fetch('/', { method: 'POST', ...init })).json()
const xhr = (type, body) => new Promise((resolve) => {
  const request = new XMLHttpRequest()
  request.open('POST', '/')
  if (type) request.setRequestHeader('Content-Type', type)
  request.onload = () => resolve(JSON.parse(request.responseText))
  request.send(body)
})
const fields = [['user[name]', '論 é'], ['sum', '1+1=2 & more']]
async function all () {
  const formData = new FormData()
  formData.set('a', 'b')
  return {
    form: await submit({}, fields),
    latin1: await submit({ acceptCharset: 'iso-8859-1' }, [['_charset_', ''], ['name', 'é']]),
    plain: await submit({ enctype: 'text/plain' }, fields),
    parts: await submit({ enctype: 'multipart/form-data' }, fields),
    json: await ask({ headers: { 'Content-Type': 'application/json' }, body: JSON.stringify({ name: '論 é' }) }),
    text: await ask({ body: '論 é' }),
    params: await ask({ body: new URLSearchParams(fields) }),
    blob: await ask({ body: new Blob([Uint8Array.of(1, 255)], { type: 'image/png' }) }),
    formData: await ask({ body: formData }),
    gzip: await ask({
      headers: { 'Content-Type': 'application/json', 'Content-Encoding': 'gzip' },
      body: await new Response(new Blob(['{"a":1}']).stream().pipeThrough(new CompressionStream('gzip'))).blob()
    }),
    broken: await ask({ headers: { 'Content-Type': 'application/json' }, body: '{' }),
    large: await ask({
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ fill: 'x'.repeat(110000) })
    }),
    xhrJson: await xhr('application/json', '{"a":1}'),
    xhrText: await xhr('', 'é'),
    empty: await ask({})
  }
}
all().catch((error) => ({ failed: error.stack })).then((answers) => {
  const url = 'http://127.0.0.1:' + location.hash.slice(1)
  fetch(url, { method: 'POST', mode: 'no-cors', body: JSON.stringify(answers) })
})
</script>`

const form = 'application/x-www-form-urlencoded'
const fields = { user: { name: '論 é' }, sum: '1+1=2 & more' }

const expect = {
  form: { headers: { 'content-type': form }, body: fields },
  // The form names no charset, and its bytes are not UTF-8.
  latin1: { headers: { 'content-type': form }, body: { _charset_: 'windows-1252', name: '%E9' } },
  plain: { headers: { 'content-type': 'text/plain' }, body: 'user[name]=論 é\r\nsum=1+1=2 & more\r\n' },
  parts: { headers: { 'content-type': 'multipart/form-data; boundary=' }, has: false },
  json: { body: { name: '論 é' } },
  text: { headers: { 'content-type': 'text/plain;charset=UTF-8' }, body: '論 é' },
  params: { headers: { 'content-type': `${form};charset=UTF-8` }, body: fields },
  blob: { body: { bytes: '01ff' } },
  formData: { has: false },
  gzip: { headers: { 'content-encoding': 'gzip' }, body: { a: 1 } },
  broken: { type: 'entity.parse.failed' },
  large: { type: 'entity.too.large' },
  xhrJson: { body: { a: 1 } },
  xhrText: { headers: { 'content-type': 'text/plain;charset=UTF-8' }, body: 'é' },
  empty: { headers: { 'content-length': '0' }, has: false }
}

/** Opens the page, and gives the answers in the order of those expected. */
async function open (url) {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'integration-chromium-'))
  const reports = http.createServer()
  reports.listen(0, '127.0.0.1')
  await once(reports, 'listening')
  const child = spawn(browser, [
    '--headless', '--no-sandbox', '--disable-gpu', '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1',
    `--user-data-dir=${folder}`, '--remote-debugging-port=0', `${url}page#${reports.address().port}`
  ], { stdio: 'ignore' })
  const failed = new Promise((resolve, reject) => {
    child.once('error', reject).once('exit', (code) => reject(new Error(`the browser ended with ${code}`)))
  })
  try {
    const [req, res] = await Promise.race([once(reports, 'request'), failed])
    const answers = JSON.parse(await readText(req))
    res.end()
    if (answers.failed) throw new Error(answers.failed)
    return Object.keys(expect).map((name) => answers[name])
  } finally {
    failed.catch(() => {}) // it is ended now
    reports.close()
    if (child.exitCode === null && child.kill()) await once(child, 'close')
    // Child processes of the app may still write into the folder.
    await fs.promises.rm(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 })
  }
}

client('Chromium', {
  'sends forms, fetches and what else a page sends': { send: open, expect: Object.values(expect) }
}, find, page)
