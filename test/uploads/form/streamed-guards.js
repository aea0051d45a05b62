'use strict'

// Option `store: 'stream'` beside the options that bound what a client may do, and those that check what it sends.

const assert = require('node:assert/strict')
const { once } = require('node:events')
const http2 = require('node:http2')
const net = require('node:net')
const { setTimeout: delay } = require('node:timers/promises')
const zlib = require('node:zlib')
const express = require('express')
const onFinished = require('on-finished')
const { createBudget, multipart } = require('../../../')
const { arrivals } = require('../../support/arrival')
const digestOf = require('../../support/content-digest')
const { form, shown, upload } = require('../../support/upload')

const big = Buffer.alloc(2 ** 20, 'abcdefg')
const body = form(['a', '1'], ['f', big, 'x'], ['g', big, 'y'])
const small = form(['a', '1'], ['f', 'one', 'x'], ['g', 'two', 'y'])
const stream = { store: 'stream', limit: '8mb' }

/** The sizes of the files, and the error that ends the loop. */
async function readSlowly ({ files }, pause = () => {}) {
  const sizes = []
  try {
    for await (const file of files) {
      let size = 0
      for await (const chunk of file) {
        size += chunk.length
        await pause()
      }
      sizes.push(size)
    }
  } catch (error) {
    return [...sizes, shown(error)]
  }
  return sizes
}

/** @returns {Promise<string>} what a server answers over HTTP/2 */
async function postHttp2 (parser, body, headers, handle) {
  const server = http2.createServer((req, res) => parser(req, res, async (error) => {
    res.end(JSON.stringify(error ? shown(error) : await handle(req)))
  })).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const session = http2.connect(`http://127.0.0.1:${server.address().port}`)
  const type = 'multipart/form-data; boundary=b'
  const request = session.request({ ':method': 'POST', 'content-type': type, ...headers }).end(body)
  let text = ''
  for await (const chunk of request) text += chunk
  session.close()
  server.close()
  return JSON.parse(text)
}

const gzip = { sent: zlib.gzipSync(body), headers: { 'content-encoding': 'gzip' } }

describe("store: 'stream' with a handler that is slower than its client", () => {
  for (const [coding, { sent, headers }] of Object.entries({ none: { sent: body, headers: {} }, gzip })) {
    it(`counts only what waits for the handler in a budget, and leaves nothing in it: coding ${coding}`, async () => {
      const budget = createBudget({ bytes: 2 ** 20 }) // less than the form
      const parser = multipart({ ...stream, budget, timeout: 20_000, minRate: 1000 })
      let most = 0
      const look = async () => {
        most = Math.max(most, budget.used)
        await delay(1)
      }
      const { handled } = await upload(parser, sent, { headers, handle: (req) => readSlowly(req, look) })
      assert.deepEqual([handled, budget.used], [[big.length, big.length], 0])
      assert.deepEqual(await postHttp2(parser, sent, headers, (req) => readSlowly(req, look)), [big.length, big.length])
      assert.equal(budget.used, 0)
      assert.ok(most > 1000 && most < 2 ** 19, `${most} bytes at most`)
    })
  }

  it('throws what a budget refuses in the loop', async () => {
    const budget = createBudget({ bytes: 200_000 })
    const { handled } = await upload(multipart({ ...stream, budget }), body, {
      handle: async (req) => {
        while (budget.used > 0) await delay(1) // it has refused the bytes that came while nobody read
        return readSlowly(req)
      }
    })
    assert.deepEqual(handled, [{ status: 503, type: 'budget.exceeded' }])
  })

  it('throws request.timeout, as the time of the body goes on', async () => {
    const { handled } = await upload(multipart({ ...stream, timeout: 60 }), body, {
      handle: (req) => readSlowly(req, () => delay(60))
    })
    assert.deepEqual(handled.at(-1), { status: 408, type: 'request.timeout' })
  })
})

describe("store: 'stream' with contentDigest", () => {
  const REQUIRE = { ...stream, contentDigest: 'require' }
  const mismatch = { status: 400, type: 'digest.mismatch' }
  const codings = { identity: (bytes) => bytes, gzip: zlib.gzipSync, br: zlib.brotliCompressSync }
  const headersOf = (coding, digest) => ({
    'content-digest': digest,
    ...coding !== 'identity' && { 'content-encoding': coding }
  })

  for (const [coding, encode] of Object.entries(codings)) {
    const sent = encode(small)
    for (const [way, pieces] of Object.entries(arrivals(sent))) {
      it(`is thrown at the end of the loop, behind all files: ${coding}, ${way}`, async () => {
        for (const [digest, end] of [[digestOf(sent), []], [digestOf('x', 'sha-512'), [mismatch]]]) {
          const { calls, error, handled } = await upload(multipart(REQUIRE), pieces, {
            chunked: true,
            headers: headersOf(coding, digest),
            handle: (req) => readSlowly(req)
          })
          assert.deepEqual([error, calls, handled], [undefined, 1, [3, 3, ...end]])
        }
      })
    }

    it(`is thrown over HTTP/2: ${coding}`, async () => {
      for (const [digest, end] of [[digestOf(sent), []], [digestOf('x'), [mismatch]]]) {
        const sizes = await postHttp2(multipart(REQUIRE), sent, headersOf(coding, digest), (req) => readSlowly(req))
        assert.deepEqual(sizes, [3, 3, ...end])
      }
    })
  }

  it('goes to next if the form has no files, or no digest', async () => {
    const missing = { status: 400, type: 'digest.missing' }
    const rows = [[form(['a', '1']), digestOf('x'), mismatch], [small, 'md5=:eA==:', missing]]
    for (const [sent, digest, expected] of rows) {
      const { body, calls, error } = await upload(multipart(REQUIRE), sent, { headers: { 'content-digest': digest } })
      assert.deepEqual([shown(error), calls, body], [expected, 1, undefined])
    }
  })

  it('lets a loop end early', async () => {
    const { handled } = await upload(multipart(REQUIRE), small, {
      headers: { 'content-digest': digestOf('x') },
      async handle ({ files }) {
        for await (const { name } of files) return name // eslint-disable-line no-unreachable-loop
      }
    })
    assert.equal(handled, 'x')
  })
})

// As Express does (finalhandler), before it answers an error that nobody else answers.
describe('code that awaits the end of a request', () => {
  const failing = () => { throw new Error('of the handler') }
  const reading = async (req, res) => {
    for await (const part of multipart({ timeout: 50 }).parts(req, res)) part.resume() // longer than the client stays
  }
  const rows = [
    ['a deadline ends a form that its handler has left', [multipart({ ...stream, timeout: 50 }), failing],
      body.subarray(0, 1000), 500],
    ['a form that its handler has left is over drainLimit',
      [multipart({ ...stream, drainLimit: 1000, files: { f: { size: 1000 }, g: {} } }), failing], body, 500],
    ['a deadline ends a loop over parts beside a handler that fails',
      [(req, res, next) => { reading(req, res).catch(() => {}); setImmediate(next) }, failing],
      body.subarray(0, 1000), 500]
  ]
  for (const [what, handlers, sent, status] of rows) {
    it(`answers, and the connection closes, where ${what}`, async () => {
      const server = express().set('env', 'test').post('/', ...handlers).listen(0, '127.0.0.1')
      await once(server, 'listening')
      const client = net.connect(server.address().port, '127.0.0.1')
      client.write('POST / HTTP/1.1\r\nHost: h\r\nContent-Type: multipart/form-data; boundary=b\r\n' +
        `Content-Length: ${body.length}\r\n\r\n`)
      client.write(sent)
      let text = ''
      for await (const chunk of client) text += chunk
      server.close()
      assert.equal(text.slice(0, 12), `HTTP/1.1 ${status}`)
    })
  }

  const awaitEnd = (req) => { onFinished(req, () => {}) }
  for (const [when, before, behind] of [['before', awaitEnd, () => {}], ['behind', () => {}, awaitEnd]]) {
    it(`loses no file if it is somebody else, who waits since ${when} the form`, async () => {
      const parser = multipart(stream)
      const watched = (req, res, next) => {
        before(req)
        parser(req, res, next)
      }
      const { handled } = await upload(watched, body, {
        handle: async (req) => {
          behind(req)
          await delay(50) // such as for a database: the request is paused meanwhile
          return readSlowly(req)
        }
      })
      assert.deepEqual(handled, [big.length, big.length])
    })
  }
})

it("store: 'stream' reads off a form that its handler has left over HTTP/2, where a response ends with its stream", async () => {
  const parser = multipart(stream)
  const server = http2.createServer((req, res) => parser(req, res, () => res.end('early'))).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const session = http2.connect(`http://127.0.0.1:${server.address().port}`)
  const request = session.request({ ':method': 'POST', 'content-type': 'multipart/form-data; boundary=b' }).end(body)
  await once(request.resume(), 'close')
  session.close()
  server.close()
})
