'use strict'

// Requests at the same time never see each other's bytes, or each other's async
// context. Every body is filled with the mark of its request; the handler keeps
// what the parsers hand out, overwrites it with another mark, and checks it later.

const assert = require('node:assert/strict')
const { setTimeout: delay } = require('node:timers/promises')
const zlib = require('node:zlib')
const subject = require('fast-body-parser')
const { createStorage } = require('../../support/async-storage')
const { cut } = require('../../support/arrival')
const HANG_TIME = require('../../support/hang-time')
const TYPES = require('../../support/types')
const { asChunk, LAST_CHUNK, serializeHead } = require('../../../tools/http-message')
const LocalServer = require('../../../tools/local-server')
const { createRandom, pick, randomInt } = require('../../../tools/random')
const Talk = require('../../../tools/talk')

const KINDS = ['json', 'raw', 'text', 'urlencoded']
const SIZES = [8, 24, 200, 1000, 5000, 20_000, 70_000] // bytes
const CONNECTIONS = 20
const REQUESTS = 30 // of each connection
const REQUESTS_TO_FAIL = 10 // enough for a parser that is wrong

const storage = createStorage()

/** Eight bytes that no other request has; 'own' or 'written'. */
const mark = (letter, id) => letter + String(id).padStart(7, '0')

/** What a request sends. Two requests at a time have the same body. */
function plan (id, seed) {
  const twin = id - id % 2
  const random = createRandom(seed + twin)
  const kind = pick(KINDS, random)
  const pad = mark('o', twin).repeat(pick(SIZES, random) / 8)
  const text = { json: `{"pad":"${pad}"}`, raw: pad, text: pad, urlencoded: `pad=${pad}` }[kind]
  const [isVerified, isCoded, isChunked] = [2, 4, 3].map((count) => randomInt(count, random) === 0)
  return { id, kind, pad, text, isVerified, isCoded, isChunked }
}

/** Sorted, of so many bytes. */
const placesIn = (length, count, random) =>
  Array.from({ length: count }, () => randomInt(length, random)).sort((a, b) => a - b)

function bytesOf ({ id, kind, text, isCoded, isChunked }, random) {
  const body = isCoded ? zlib.gzipSync(text, { level: 1 }) : Buffer.from(text)
  const head = serializeHead({}, {
    Host: 'test',
    'Content-Type': TYPES[kind],
    'X-Id': id,
    'Content-Encoding': isCoded ? 'gzip' : undefined,
    ...(isChunked ? { 'Transfer-Encoding': 'chunked' } : { 'Content-Length': body.length })
  })
  const chunks = cut(body, placesIn(body.length, 2, random)).filter(({ length }) => length > 0)
  return Buffer.concat([Buffer.from(head), ...(isChunked ? [...chunks.map(asChunk), LAST_CHUNK] : chunks)])
}

/** Every Buffer, object and string that a request was given, filled with these marks. */
function check ({ plan: { id, kind, isVerified, text }, seen, body, stores }, bytes, pad) {
  if (isVerified) assert.ok(seen.equals(bytes), 'bytes in verify')
  assert.deepEqual(stores.filter((store) => store !== id), [], 'async context')
  if (kind === 'raw') assert.ok(body.equals(bytes), 'body')
  else assert.equal(kind === 'text' ? body : body.pad, kind === 'text' ? text : pad)
}

const checkOwn = (item) => check(item, Buffer.from(item.plan.text), item.plan.pad)

function checkWritten (item) {
  const { id, text } = item.plan
  check(item, Buffer.alloc(text.length, mark('w', id)), mark('w', id))
}

/** Its owner may do with it as he likes. */
function overwrite ({ plan: { id, kind }, seen, body }) {
  seen?.fill(mark('w', id))
  if (kind === 'raw') body.fill(mark('w', id))
  else if (kind !== 'text') body.pad = mark('w', id)
}

/** Sends the requests of a connection, of which some are pipelined. */
async function send (server, plans, random) {
  const talk = await Talk.open(server)
  while (plans.length > 0) {
    const together = plans.splice(0, 1 + randomInt(3, random))
    const bytes = Buffer.concat(together.map((plan) => bytesOf(plan, random)))
    for (const piece of cut(bytes, placesIn(bytes.length, randomInt(4, random), random))) {
      talk.write(piece)
      if (randomInt(2, random) === 0) await delay(0)
    }
    await talk.responses(together.length, HANG_TIME)
  }
  talk.close()
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
  const plans = Array.from({ length: CONNECTIONS * count }, (_, id) => plan(id, seed))
  const kept = []
  const faults = []

  const note = (look, item) => {
    try {
      look(item)
    } catch (error) {
      faults.push(`request ${item.plan.id} of seed ${seed}: ${error.message}`)
    }
  }
  const look = (req) => { req.stores.push(storage.getStore()) }
  const verify = (req, res, bytes) => {
    look(req)
    req.seen = bytes
  }
  const make = (options) => Object.fromEntries(KINDS.map((kind) =>
    [kind, bodyParser[kind]({ limit: '1mb', type: (req) => look(req) ?? true, ...options })]))
  const [plain, verified] = [make(), make({ verify })]

  const server = await LocalServer.open((req, res) => {
    const plan = plans[req.headers['x-id']]
    req.stores = []
    storage.run(plan.id, () => (plan.isVerified ? verified : plain)[plan.kind](req, res, async (error) => {
      look(req)
      if (plan.id % 3 === 0) await delay(plan.id % 7) // others come and go meanwhile
      look(req)
      const item = { plan, seen: req.seen, body: req.body, stores: req.stores }
      if (error) faults.push(error)
      note(checkOwn, item)
      overwrite(item)
      kept.push(item)
      res.end('.')
    }))
  })
  await Promise.all(Array.from({ length: CONNECTIONS }, (_, index) =>
    send(server, plans.filter(({ id }) => id % CONNECTIONS === index), createRandom(seed + index))))
  for (const item of kept) note(checkWritten, item)
  server.close()
  return { faults, served: kept.length }
}

describe('isolation of requests', () => {
  it('keeps the bytes and contexts of requests apart', async () => {
    const seed = Number(process.env.SEED) || Date.now() % 1e9
    const { faults, served } = await run(subject, seed, REQUESTS)
    assert.deepEqual(faults.slice(0, 5), [])
    assert.equal(served, CONNECTIONS * REQUESTS)
  })

  it('is found broken for a parser with one Buffer for all bodies', async () => {
    const shared = Buffer.alloc(1024 * 1024)
    const raw = ({ verify = () => {}, ...options }) => {
      const parser = subject.raw(options)
      return (req, res, next) => parser(req, res, () => {
        req.body.copy(shared)
        req.body = shared.subarray(0, req.body.length)
        verify(req, res, req.body)
        next()
      })
    }
    const { faults } = await run({ ...subject, raw }, 1, REQUESTS_TO_FAIL)
    assert.notEqual(faults.length, 0)
  })
})
