'use strict'

// Requests that are cut off at random bytes, and what they leave behind.

const assert = require('node:assert/strict')
const { once } = require('node:events')
const http = require('node:http')
const net = require('node:net')
const { setImmediate: immediate, setTimeout: delay } = require('node:timers/promises')
const zlib = require('node:zlib')
const { createBudget, ndjson } = require('../../../')
const { NDJSON } = require('../../support/loop')

// FUZZ_RUNS=1000 cuts more requests.
const RUNS = Number(process.env.FUZZ_RUNS) || 10
const SENT = Array.from({ length: 20_000 }, (_, index) => [index])
const body = Buffer.from(SENT.map((record) => JSON.stringify(record)).join('\n'))
const bodies = { identity: body, gzip: zlib.gzipSync(body, { level: 0 }) }
const LISTENED = ['aborted', 'close', 'data', 'end', 'error', 'pause']

describe('requests that are cut off', function () {
  this.timeout(60_000 + 100 * RUNS)

  it('end their loop behind the records that have come, and leave nothing behind', async () => {
    const budget = createBudget({ bytes: '100mb' })
    const parser = ndjson({ budget, timeout: 60_000 })
    const seen = []
    const server = http.createServer((req, res) => {
      const usual = LISTENED.map((name) => req.listenerCount(name))
      parser(req, res, async () => {
        const records = []
        let type
        try {
          for await (const record of req.body) {
            records.push(record)
            if (record[0] % 5000 === 99) await delay(1)
          }
        } catch (error) {
          type = error.type
        }
        seen.push({ type, records, req, usual })
        res.end()
      })
    })
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    for (let index = 0; index < RUNS; index++) {
      const [coding, bytes] = Object.entries(bodies)[index % 2]
      const socket = net.connect(server.address().port, '127.0.0.1').on('error', () => {}).resume()
      const closed = once(socket, 'close')
      socket.write(`POST / HTTP/1.1\r\nHost: test\r\nContent-Type: ${NDJSON}\r\nContent-Encoding: ${coding}\r\nContent-Length: ${bytes.length}\r\n\r\n`)
      await once(server, 'request')
      socket.write(bytes.subarray(0, Math.random() * bytes.length))
      await delay(index % 4)
      socket[['destroy', 'resetAndDestroy', 'end'][index % 3]]()
      await Promise.all([closed, untilLength(seen, index + 1)])
    }
    server.close()
    await immediate() // the listener for the error of a request that is destroyed stays until then
    for (const { type, records, req, usual } of seen) {
      assert.equal(type, 'request.aborted')
      assert.deepEqual(records, SENT.slice(0, records.length))
      assert.deepEqual(LISTENED.map((name) => req.listenerCount(name)), usual)
    }
    assert.ok(seen.some(({ records }) => records.length > 0))
    assert.deepEqual([budget.used, budget.holding.size, budget.waiting.size], [0, 0, 0])
  })
})

async function untilLength (list, length) {
  for (let tries = 0; list.length < length && tries < 5000; tries++) await delay(1)
  assert.equal(list.length, length)
}
