'use strict'

// What a server holds while a slow loop reads a large request. To see it grow:
// MEGABYTES=1000 npx mocha test/records/ndjson/memory.js prints MB above idle, each second.

const assert = require('node:assert/strict')
const { fork } = require('node:child_process')
const { once } = require('node:events')
const http = require('node:http')
const { Readable } = require('node:stream')

const RATE = 5000 // bytes per ms that the loop takes
const MEGABYTES = Number(process.env.MEGABYTES) || 0
const block = Buffer.alloc(2 ** 20, `{"id":1,"text":"${'x'.repeat(140)}"}\n`)
const LENGTH = 159 // bytes of a record

describe('a slow loop', function () {
  this.timeout(120_000 + MEGABYTES * 1000)

  it('holds little of a large request', async () => {
    const server = fork(require.resolve('../../support/slow-loop'),
      [String(LENGTH * 500 / (MEGABYTES > 0 ? RATE : 50_000))], { env: { ...process.env, NODE_V8_COVERAGE: '' } })
    const [[port, idle]] = await once(server, 'message')
    const seen = []
    server.on('message', (rss) => {
      seen.push((rss - idle) / 1e6)
      if (MEGABYTES > 0) console.log(seen.at(-1).toFixed(1))
    })
    const lines = block.subarray(0, Math.floor(block.length / LENGTH) * LENGTH)
    const body = Readable.from((function * () { for (let sent = 0; sent < (MEGABYTES || 100); sent++) yield lines })())
    const req = http.request({
      port,
      host: '127.0.0.1',
      method: 'POST',
      headers: { 'Content-Type': 'application/x-ndjson' }
    })
    const responded = once(req, 'response')
    body.pipe(req)
    const [res] = await responded
    res.resume()
    server.kill()
    assert.equal(res.statusCode, 200)
    assert.ok(seen.length > 0 && Math.max(...seen) < 80, `${seen} MB`)
  })
})
