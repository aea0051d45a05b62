'use strict'

// examples/s3.js with a real S3 server, in a process of its own.

const assert = require('node:assert/strict')
const { fork } = require('node:child_process')
const { once } = require('node:events')
const fs = require('node:fs')
const http = require('node:http')
const path = require('node:path')
const startS3 = require('./support/s3')
const { createFolder, remove, write } = require('../support/project')

const MEGABYTE = 2 ** 20
const SIZE = 100 * MEGABYTE
const EXAMPLE = require.resolve('../../../examples/s3')
const NODE_PATH = path.join(__dirname, '../node_modules') // of the SDK, which the package itself does not install

// The app, which tells its peak of memory when asked.
const PROGRAM = `
const app = require(${JSON.stringify(EXAMPLE)})
const server = app.listen(0, '127.0.0.1', () => process.send(server.address().port))
process.on('message', () => {
  process.send({ rss: process.memoryUsage.rss(), peak: process.resourceUsage().maxRSS * 1024 })
})`

describe('examples/s3.js', function () {
  this.timeout(60_000)
  let folder
  let s3
  let app
  let port

  before(async () => {
    folder = createFolder()
    s3 = await startS3(['uploads'])
    write(folder, { 'app.js': PROGRAM })
    const environment = {
      NODE_PATH,
      AWS_ENDPOINT_URL_S3: s3.endpoint,
      AWS_REGION: 'us-east-1',
      AWS_ACCESS_KEY_ID: 'S3RVER',
      AWS_SECRET_ACCESS_KEY: 'S3RVER'
    }
    app = fork(path.join(folder, 'app.js'), { env: { ...process.env, ...environment } })
    ;[port] = await once(app, 'message')
  })

  after(async () => {
    app?.kill()
    await s3?.close()
    remove(folder)
  })

  async function usage () {
    app.send('usage')
    return (await once(app, 'message'))[0]
  }

  /** Sends a form with one file, in chunks; `cut` breaks the connection before its end. */
  async function post (size, { cut = false } = {}) {
    const head = '--b\r\nContent-Disposition: form-data; name="file"; filename="x"\r\nContent-Type: a/b\r\n\r\n'
    const tail = '\r\n--b--\r\n'
    const headers = {
      'content-type': 'multipart/form-data; boundary=b',
      'content-length': head.length + size + tail.length
    }
    const req = http.request({ host: '127.0.0.1', port, method: 'POST', headers, agent: false })
    const response = once(req, 'response')
    const chunk = Buffer.alloc(MEGABYTE, 'x')
    req.write(head)
    for (let left = size; left > 0; left -= MEGABYTE) if (!req.write(chunk)) await once(req, 'drain')
    if (cut) {
      req.destroy()
      return response.catch(() => {})
    }
    req.end(tail)
    const [res] = await response
    return [res.statusCode, await new Response(res).json()]
  }

  const stored = () =>
    fs.readdirSync(s3.folderOf('uploads'), { recursive: true }).filter((name) => name.endsWith('_object'))

  it('keeps the memory for 100 MB bounded', async () => {
    assert.equal((await post(MEGABYTE))[0], 201)
    const { rss } = await usage()
    const [status, [{ size, key }]] = await post(SIZE)
    const { peak } = await usage()
    assert.deepEqual([status, size], [201, SIZE])
    const [object] = stored().filter((name) => name.includes(key))
    assert.equal(fs.statSync(path.join(s3.folderOf('uploads'), object)).size, SIZE)
    assert.ok(peak - rss < 80 * MEGABYTE, `${Math.round((peak - rss) / MEGABYTE)} MB`)
  })

  it('leaves nothing of a file whose client leaves', async () => {
    const before = stored()
    await post(20 * MEGABYTE, { cut: true })
    const [status, [{ key }]] = await post(MEGABYTE)
    assert.deepEqual([status, stored().filter((name) => !before.includes(name) && !name.includes(key))], [201, []])
  })

  it('removes what it has stored of a form that fails later', async () => {
    const before = stored()
    const body = new FormData()
    body.append('file', new Blob(['1']), 'x')
    body.append('other', new Blob(['2']), 'y')
    const response = await fetch(`http://127.0.0.1:${port}/`, { method: 'POST', body })
    assert.deepEqual([response.status, await response.json()],
      [400, { error: { status: 400, type: 'multipart.file.unexpected' } }])
    while (stored().length > before.length) await new Promise((resolve) => setTimeout(resolve, 5))
  })
})
