'use strict'

// Option `store: 'stream'` beside the options that bound what a client may do, and those that check what it sends.

const assert = require('node:assert/strict')
const { setTimeout: delay } = require('node:timers/promises')
const zlib = require('node:zlib')
const { createBudget, multipart } = require('../../../')
const digestOf = require('../../support/content-digest')
const { form, shown, upload } = require('../../support/upload')
const uploadHttp2 = require('../../support/upload-http2')

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

describe("store: 'stream' with a handler that is slower than its client", () => {
  for (const [way, send, sent, headers] of [
    ['HTTP/1', upload, zlib.gzipSync(body), { 'content-encoding': 'gzip' }],
    ['HTTP/2', uploadHttp2, body, {}]
  ]) {
    it(`counts only what waits for the handler in a budget, and leaves nothing in it: ${way}`, async () => {
      const budget = createBudget({ bytes: 2 ** 20 }) // less than the form
      const parser = multipart({ ...stream, budget, timeout: 20_000, minRate: 1000 })
      let most = 0
      const look = async () => {
        most = Math.max(most, budget.used)
        await delay(1)
      }
      const { handled } = await send(parser, sent, { headers, handle: (req) => readSlowly(req, look) })
      assert.deepEqual([handled, budget.used], [[big.length, big.length], 0])
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

  it('is thrown at the end of the loop, behind all files', async () => {
    const sent = zlib.gzipSync(small)
    for (const [digest, end] of [[digestOf(sent), []], [digestOf('x', 'sha-512'), [mismatch]]]) {
      const headers = { 'content-digest': digest, 'content-encoding': 'gzip' }
      const message = { headers, chunked: true, handle: (req) => readSlowly(req) }
      const { calls, error, handled } = await upload(multipart(REQUIRE), sent, message)
      assert.deepEqual([error, calls, handled], [undefined, 1, [3, 3, ...end]])
    }
  })

  it('goes to next if the form has no files, or no digest', async () => {
    const missing = { status: 400, type: 'digest.missing' }
    const rows = [[form(['a', '1']), digestOf('x'), mismatch], [small, 'md5=:eA==:', missing]]
    for (const [sent, digest, expected] of rows) {
      const { body, calls, error } = await upload(multipart(REQUIRE), sent, { headers: { 'content-digest': digest } })
      assert.deepEqual([shown(error), calls, body], [expected, 1, undefined])
    }
  })
})
