'use strict'

// Requests at the same time never see each other's bytes, or each other's async
// context. Every body is filled with the mark of its request; the handler keeps
// what the parsers hand out, overwrites it with another mark, and checks it later.

const assert = require('node:assert/strict')
const { once } = require('node:events')
const http = require('node:http')
const net = require('node:net')
const { setTimeout: delay } = require('node:timers/promises')
const zlib = require('node:zlib')
const subject = require('fast-body-parser')
const { createStorage } = require('../../support/async-storage')
const { cut } = require('../../support/arrival')
const TYPES = require('../../support/types')
const { asChunk, LAST_CHUNK } = require('../../../tools/http-message')

const KINDS = ['json', 'raw', 'text', 'urlencoded']

const SIZES = [8, 24, 200, 1000, 5000, 20_000, 70_000, 200_000, 1_200_000] // bytes; the small ones come more often
const CONNECTIONS = 40
const REQUESTS = 60 // of each connection
const REQUESTS_TO_FAIL = 20 // enough for a parser that is wrong

const storage = createStorage()

/** Eight bytes that no other request has; 'own' or 'written'. */
const mark = (letter, id) => letter + String(id).padStart(7, '0')

function seeded (seed) {
  let state = seed
  return (below) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return Math.floor(state / 2 ** 32 * below)
  }
}

/** What a request sends, and what is to become of it. */
function plan (id, random) {
  const kind = KINDS[random(KINDS.length)]
  const twin = id - id % 2 // two requests at a time have the same body, if they are alike
  const size = SIZES[Math.min(random(SIZES.length), random(SIZES.length))]
  const pad = mark('o', twin).repeat(size / 8)
  const broken = kind === 'json' && random(8) === 0
  const text = { json: `{"pad":"${pad}"${broken ? '' : '}'}`, raw: pad, text: pad, urlencoded: `pad=${pad}` }[kind]
  const verified = random(2) === 0
  return {
    id,
    kind,
    pad,
    text,
    broken,
    verified,
    refused: verified && random(5) === 0,
    coded: random(4) === 0,
    chunked: random(3) === 0
  }
}

function bytesOf ({ id, kind, text, refused, coded, chunked }, random) {
  const body = coded ? zlib.gzipSync(text, { level: 1 }) : Buffer.from(text)
  const framing = chunked ? 'Transfer-Encoding: chunked' : `Content-Length: ${body.length}`
  const coding = coded ? 'Content-Encoding: gzip\r\n' : ''
  const head = `POST /${refused ? 'refused' : kind} HTTP/1.1\r\nHost: test\r\n` +
    `Content-Type: ${TYPES[kind]}\r\nX-Id: ${id}\r\n${coding}${framing}\r\n\r\n`
  const places = [random(body.length + 1), random(body.length + 1)].sort((a, b) => a - b)
  const frames = chunked ? [...cut(body, places).map(asChunk), LAST_CHUNK] : [body]
  return Buffer.concat([Buffer.from(head), ...frames])
}

/** Every Buffer and every string that a request was given. */
function check ({ plan, seen, body, error, stores }) {
  const { id, kind, pad, text, broken, verified, refused } = plan
  if (verified) assert.equal(String(seen), text, 'bytes in verify')
  assert.deepEqual(stores.filter((store) => store !== id), [], 'async context')
  if (refused) assert.equal(error.body, seen)
  else if (broken) assert.equal(error.body, text)
  else if (kind === 'raw') assert.equal(String(body), text)
  else assert.equal(kind === 'text' ? body : body.pad, pad)
}

/** Its owner may do with it as he likes. */
function overwrite ({ plan: { id, kind }, seen, body }) {
  seen?.fill(mark('w', id))
  if (kind === 'raw') body?.fill(mark('w', id))
  else if (kind !== 'text' && body !== undefined) body.pad = mark('w', id)
}

function checkWritten ({ plan: { id, kind, pad, text, broken, verified, refused }, seen, body, error }) {
  const written = Buffer.alloc(Buffer.byteLength(text), mark('w', id))
  if (verified) assert.ok(seen.equals(written), 'kept bytes')
  if (refused) assert.equal(error.body, seen)
  else if (broken) assert.equal(error.body, text)
  else if (kind === 'raw') assert.ok(body.equals(written), 'kept body')
  else assert.equal(kind === 'text' ? body : body.pad, kind === 'text' ? pad : mark('w', id))
}

/**
 * Serves `bodyParser` under load; gives what went wrong.
 *
 * @param {object} bodyParser
 * @param {number} seed
 * @param {number} count requests of each connection
 * @returns {Promise<{ faults: string[], served: number }>}
 */
async function run (bodyParser, seed, count) {
  const plans = new Map()
  const kept = []
  const faults = []
  let served = 0

  const note = (look, item) => {
    try {
      look(item)
    } catch (error) {
      faults.push(`request ${item.plan.id} of seed ${seed}: ${error.message}`)
    }
  }
  const verify = (req, res, bytes) => {
    req.stores.push(storage.getStore())
    req.seen = bytes
    if (req.url === '/refused') throw new Error('refused')
  }
  const options = { limit: '2mb', type: (req) => req.stores.push(storage.getStore()) }
  const make = (options) => Object.fromEntries(KINDS.map((kind) => [kind, bodyParser[kind](options)]))
  const plain = make(options)
  const verified = make({ ...options, verify })

  const server = http.createServer((req, res) => {
    const plan = plans.get(Number(req.headers['x-id']))
    req.stores = []
    storage.run(plan.id, () => (plan.verified ? verified : plain)[plan.kind](req, res, async (error) => {
      req.stores.push(storage.getStore())
      const item = { plan, seen: req.seen, body: req.body, error, stores: req.stores }
      served++
      if (plan.id % 3 === 0) await delay(plan.id % 7) // others come and go meanwhile
      req.stores.push(storage.getStore())
      note(check, item)
      overwrite(item)
      kept.push(item)
      if (kept.length > 1000) note(checkWritten, kept.shift())
      res.end('.')
    }))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')

  await Promise.all(Array.from({ length: CONNECTIONS }, async (_, index) => {
    const random = seeded(seed + index)
    const socket = net.connect(server.address().port, '127.0.0.1')
    socket.setNoDelay(true)
    const done = { sent: 0, answered: 0 }
    socket.on('data', (data) => { done.answered += String(data).split('HTTP/1.1 200').length - 1 })
    while (done.sent < count) {
      const together = Math.min(1 + random(3), count - done.sent) // pipelined
      const requests = Array.from({ length: together }, (_, place) => {
        const id = (done.sent + place) * CONNECTIONS + index
        plans.set(id, plan(id, seeded(seed + id - id % 2)))
        return bytesOf(plans.get(id), random)
      })
      const bytes = Buffer.concat(requests)
      const places = Array.from({ length: random(4) }, () => random(bytes.length)).sort((a, b) => a - b)
      for (const piece of cut(bytes, places)) {
        socket.write(piece)
        if (random(2) === 0) await delay(0)
      }
      done.sent += together
      while (done.answered < done.sent) await once(socket, 'data')
    }
    socket.destroy()
  }))

  for (const item of kept) note(checkWritten, item)
  server.close()
  server.closeAllConnections()
  return { faults, served }
}

/** raw() with its Buffers put elsewhere, and its `next` called some other way. */
function carelessRaw (reuse, call = (next, error) => next(error)) {
  return ({ verify = () => {}, ...options }) => {
    const parser = subject.raw(options)
    return (req, res, next) => parser(req, res, () => {
      const bytes = reuse(req.body)
      req.body = undefined
      try {
        verify(req, res, bytes)
      } catch (error) {
        error.body = bytes
        call(next, error)
        return
      }
      req.body = bytes
      call(next)
    })
  }
}

describe('isolation of requests', () => {
  it('keeps the bytes and contexts of requests apart', async function () {
    this.timeout(30_000)
    const seed = Number(process.env.SEED) || Date.now() % 1e9
    const { faults, served } = await run(subject, seed, REQUESTS)
    assert.deepEqual(faults.slice(0, 5), [])
    assert.equal(served, CONNECTIONS * REQUESTS)
  })

  // Shows that the test can fail: parsers that share memory do not pass it.
  const careless = {
    'one Buffer for all bodies': (() => {
      const shared = Buffer.alloc(1024 * 1024)
      return (bytes) => {
        bytes.copy(shared)
        return shared.subarray(0, bytes.length)
      }
    })(),
    'one Buffer for bodies that are equal': (() => {
      const known = new Map()
      return (bytes) => {
        const text = String(bytes)
        if (!known.has(text)) known.set(text, bytes)
        return known.get(text)
      }
    })()
  }
  for (const [how, reuse] of Object.entries(careless)) {
    it(`is found broken for a parser with ${how}`, async function () {
      this.timeout(30_000)
      const { faults } = await run({ ...subject, raw: carelessRaw(reuse) }, 1, REQUESTS_TO_FAIL)
      assert.notEqual(faults.length, 0)
    })
  }

  it('is found broken for a parser that calls next of several requests in one turn', async function () {
    this.timeout(30_000)
    const calls = []
    const call = (...ready) => {
      if (calls.push(ready) > 1) return
      setImmediate(() => {
        for (const [next, error] of calls.splice(0)) next(error)
      })
    }
    const { faults } = await run({ ...subject, raw: carelessRaw((bytes) => bytes, call) }, 1, REQUESTS_TO_FAIL)
    assert.match(faults[0], /async context/)
  })
})
