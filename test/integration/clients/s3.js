'use strict'

// examples/s3.js with a real S3 server on loopback, in a process of its own.

const assert = require('node:assert/strict')
const { fork, spawnSync } = require('node:child_process')
const { once } = require('node:events')
const fs = require('node:fs')
const http = require('node:http')
const os = require('node:os')
const path = require('node:path')
const { HeadObjectCommand, S3Client } = require('@aws-sdk/client-s3')
const { Upload } = require('@aws-sdk/lib-storage')
const S3rver = require('s3rver')
const { multipart } = require('../../..')

const MEGABYTE = 2 ** 20
const SIZE = 100 * MEGABYTE
const EXAMPLE = require.resolve('../../../examples/s3')
const NODE_PATH = path.join(__dirname, '../node_modules') // of the SDK, which the package itself does not install
const NO_FILES = {
  AWS_CONFIG_FILE: os.devNull, AWS_SHARED_CREDENTIALS_FILE: os.devNull, AWS_EC2_METADATA_DISABLED: 'true'
}

// The app, which tells its peak of memory when asked.
const PROGRAM = `
const app = require(process.argv[1])
const server = app.listen(0, '127.0.0.1', () => process.send(server.address().port))
process.on('message', () => {
  process.send({ rss: process.memoryUsage.rss(), peak: process.resourceUsage().maxRSS * 1024 })
})
`

describe('a store that streams to S3', function () {
  this.timeout(60_000)
  let folder
  let s3
  let app
  let port

  before(async () => {
    folder = fs.mkdtempSync(path.join(os.tmpdir(), 'integration-s3-'))
    s3 = new S3rver({
      address: '127.0.0.1',
      port: 0,
      directory: path.join(folder, 's3'),
      silent: true,
      configureBuckets: [{ name: 'uploads' }]
    })
    const { port: s3Port } = await s3.run()
    const file = path.join(folder, 'app.js')
    fs.writeFileSync(file, PROGRAM.replace('process.argv[1]', JSON.stringify(EXAMPLE)))
    const environment = {
      NODE_PATH,
      AWS_ENDPOINT_URL_S3: `http://127.0.0.1:${s3Port}`,
      AWS_REGION: 'us-east-1',
      AWS_ACCESS_KEY_ID: 'S3RVER',
      AWS_SECRET_ACCESS_KEY: 'S3RVER',
      AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED: 'true'
    }
    app = fork(file, { env: { ...process.env, ...environment } })
    ;[port] = await once(app, 'message')
  })

  after(async () => {
    app?.kill()
    await s3?.close()
    fs.rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
  })

  async function usage () {
    app.send('usage')
    return (await once(app, 'message'))[0]
  }

  /** Sends a form with one file, in chunks; `cut` breaks the connection before its end. */
  function post (size, { cut = false } = {}) {
    const head = Buffer.from('--b\r\nContent-Disposition: form-data; name="file"; filename="x"\r\n' +
      'Content-Type: a/b\r\n\r\n')
    const tail = Buffer.from('\r\n--b--\r\n')
    const headers = {
      'content-type': 'multipart/form-data; boundary=b',
      'content-length': head.length + size + tail.length
    }
    const req = http.request({ host: '127.0.0.1', port, method: 'POST', headers, agent: false })
    const chunk = Buffer.alloc(MEGABYTE, 'x')
    return new Promise((resolve, reject) => {
      req.on('error', (error) => cut ? resolve(error) : reject(error))
      req.on('response', async (res) => resolve([res.statusCode, await new Response(res).json()]))
      const send = async () => {
        req.write(head)
        for (let left = size; left > 0; left -= MEGABYTE) if (!req.write(chunk)) await once(req, 'drain')
        if (cut) req.destroy()
        else req.end(tail)
      }
      send().catch(reject)
    })
  }

  const stored = () =>
    fs.readdirSync(path.join(folder, 's3/uploads'), { recursive: true }).filter((name) => name.endsWith('_object'))

  it('keeps the memory for 100 MB bounded', async () => {
    assert.equal((await post(MEGABYTE))[0], 201)
    const { rss } = await usage()
    const [status, [{ size, key }]] = await post(SIZE)
    const { peak } = await usage()
    assert.deepEqual([status, size], [201, SIZE])
    const [object] = stored().filter((name) => name.includes(key))
    assert.equal(fs.statSync(path.join(folder, 's3/uploads', object)).size, SIZE)
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
    const form = new FormData()
    form.append('file', new Blob(['1']), 'x')
    form.append('other', new Blob(['2']), 'y')
    const response = await fetch(`http://127.0.0.1:${port}/`, { method: 'POST', body: form })
    assert.deepEqual([response.status, await response.json()],
      [400, { error: { status: 400, type: 'multipart.file.unexpected' } }])
    while (stored().length > before.length) await new Promise((resolve) => setTimeout(resolve, 5))
  })

  it("stores a file that a handler streams by store: 'stream' while it comes", async () => {
    const { port: s3Port } = s3.httpServer.address()
    const client = new S3Client({
      endpoint: `http://127.0.0.1:${s3Port}`,
      region: 'us-east-1',
      credentials: { accessKeyId: 'S3RVER', secretAccessKey: 'S3RVER' },
      forcePathStyle: true,
      requestChecksumCalculation: 'WHEN_REQUIRED'
    })
    const parse = multipart({ store: 'stream', fields: { max: 1 }, files: { file: { max: 2, size: '50mb' } } })
    const server = http.createServer((req, res) => parse(req, res, async (error) => {
      if (error) return res.writeHead(error.status).end()
      let isEarly = false
      for await (const file of req.files) {
        const params = { Bucket: 'uploads', Key: `${req.body.folder}/${file.name}`, Body: file }
        const upload = new Upload({ client, queueSize: 1, params })
        upload.on('httpUploadProgress', () => { isEarly ||= !req.complete })
        await upload.done()
      }
      res.end(String(isEarly))
    }))
    await once(server.listen(0, '127.0.0.1'), 'listening')
    const form = new FormData()
    form.append('folder', 'streamed')
    form.append('file', new Blob(['1']), 'small')
    form.append('file', new Blob([Buffer.alloc(20 * MEGABYTE, 'x')]), 'large') // in four parts
    const response = await fetch(`http://127.0.0.1:${server.address().port}/`, { method: 'POST', body: form })
    assert.deepEqual([response.status, await response.text()], [200, 'true'])
    const sizeOf = async (Key) => (await client.send(new HeadObjectCommand({ Bucket: 'uploads', Key }))).ContentLength
    assert.deepEqual([await sizeOf('streamed/small'), await sizeOf('streamed/large')], [1, 20 * MEGABYTE])
    server.close()
    server.closeAllConnections()
  })

  it('names the settings that it lacks', () => {
    const environment = { AWS_REGION: 'eu-west-1', AWS_ACCESS_KEY_ID: 'id', AWS_SECRET_ACCESS_KEY: '' }
    const env = { ...process.env, ...environment, ...NO_FILES, NODE_PATH, PORT: '0' }
    const { status, stderr } = spawnSync(process.execPath, [EXAMPLE], { env, encoding: 'utf8' })
    assert.match(stderr, /: set AWS_REGION, AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY, and BUCKET/)
    assert.equal(status, 1)
  })
})
