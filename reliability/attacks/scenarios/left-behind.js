'use strict'

// Many requests, of which some are aborted at a random byte: what do they leave behind?

const fs = require('node:fs')
const { setTimeout: delay } = require('node:timers/promises')
const zlib = require('node:zlib')
const { serializeRequest } = require('../../../tools/http-message')
const { createRandom, pick, randomInt } = require('../../../tools/random')
const Talk = require('../../../tools/talk')
const { MB } = require('../catalog/attack')

const REQUESTS = 2000
const WARM = 200 // requests before
const AT_A_TIME = 20
const PAUSE = 4 // ms, at most, before a request is aborted
const PATIENCE = 8000 // ms; more than `next` waits for engines
const TIMEOUT = 30_000 // ms for a response
const SLACK = 8 // MB

/** @returns {import('./index').Scenario} `aborted`: share of the requests; the others are answered */
function scenario (name, what, rows, messages, aborted) {
  return {
    name,
    what,
    columns: ['requests', 'wrong answers', 'no next', 'files', 'descriptors', 'used of the budget', 'MB more'],
    rows,
    flags: ['--expose-gc'],
    async run (server, { seed, times }) {
      const random = createRandom(seed)
      const send = (count) => sendAll(server.port, count, messages, aborted, random)
      await send(WARM)
      const before = await settled(server)
      const wrong = await send(REQUESTS * times)
      const { folder, requests, pending, files = 0, descriptors = 0, used, buffers, heap } = await settled(server)
      if (folder !== undefined) fs.rmSync(folder, { recursive: true })
      const memory = buffers + heap - before.buffers - before.heap
      return [requests - before.requests, wrong, pending, files, descriptors, used ?? 0, memory / MB]
    },
    faultsOf (row, [, wrong, pending, files, descriptors, used, memory]) {
      if (!row.startsWith('fast')) return []
      return [
        wrong > 0 && 'answers are wrong',
        pending > 0 && 'requests of clients that have left are pending',
        files > 0 && 'files are left',
        descriptors > 0 && 'descriptors are left',
        used > 0 && 'the budget does not end at 0',
        memory > SLACK && 'memory grows'
      ]
    }
  }
}

/** @returns {Promise<number>} wrong answers */
async function sendAll (port, count, messages, aborted, random) {
  let left = count
  let wrong = 0
  await Promise.all(Array.from({ length: AT_A_TIME }, async () => {
    while (left-- > 0) {
      const [bytes, outcome] = pick(messages, random)
      if (random() < aborted) await abort(port, bytes, random)
      else if (await answerTo(port, bytes) !== outcome) wrong++
    }
  }))
  return wrong
}

async function abort (port, bytes, random) {
  const bodyAt = bytes.indexOf('\r\n\r\n') + 4
  const length = bodyAt + randomInt(bytes.length - bodyAt, random)
  const how = pick(['close', 'reset', 'halfClose'], random)
  const talk = await Talk.open(port)
  await talk.write(bytes.subarray(0, length))
  await delay(randomInt(PAUSE, random))
  talk[how]()
  await talk.until(() => talk.closed, Infinity)
}

async function answerTo (port, bytes) {
  const talk = await Talk.open(port)
  const responses = talk.responses(1, TIMEOUT)
  await talk.write(bytes)
  const [response] = await responses
  talk.close()
  return response?.headers['x-outcome']
}

/** Waits until nothing is left, or has had its time; and collects garbage. */
async function settled (server) {
  const deadline = performance.now() + PATIENCE
  while (true) {
    await server.ask('collect')
    const sample = await server.ask('sample')
    const { pending, files = 0, descriptors = 0 } = sample
    if (pending + files + descriptors === 0 || performance.now() > deadline) return sample
  }
}

const post = (type, body, headers) => serializeRequest({ headers: { 'Content-Type': type, ...headers }, body })
const json = (body, headers) => post('application/json', Buffer.from(body), headers)
const form = (body) => post('application/x-www-form-urlencoded', Buffer.from(body))

const TEXT = JSON.stringify({ text: 'Zoë and others, '.repeat(2000) })
const coded = (compress, coding) => json(compress(TEXT), { 'Content-Encoding': coding })

/** What the four parsers are sent. @type {[bytes: Buffer, outcome: string][]} */
const MIXED = [
  [json('{"id":1}'), '200'],
  [json(TEXT), '200'],
  [coded(zlib.gzipSync, 'gzip'), '200'],
  [form(`text=${'x'.repeat(5000)}`), '200'],
  [post('text/plain', Buffer.from(TEXT)), '200'],
  [post('application/octet-stream', Buffer.alloc(60_000)), '200'],
  [json('{"a":'), '400 entity.parse.failed'],
  [coded(() => zlib.gzipSync(TEXT).subarray(0, -9), 'gzip'), '400 Z_BUF_ERROR'],
  [json(zlib.gzipSync(Buffer.alloc(8 * MB)), { 'Content-Encoding': 'gzip' }), '413 entity.too.large'],
  [post('text/plain', Buffer.alloc(200_000)), '413 entity.too.large'],
  [json('{}', { 'Content-Encoding': 'compress' }), '415 encoding.unsupported'],
  [form('a=1&'.repeat(1001)), '413 parameters.too.many']
]

const all = { target: 'fast-body-parser', parser: 'all' }
const FOUR = {
  'fast-body-parser': all,
  'fast-body-parser, guarded': { ...all, budget: { bytes: '16mb' }, options: { timeout: 20_000, minRate: 1 } },
  'body-parser': { ...all, target: 'body-parser' }
}

const HEAD = '--b\r\nContent-Disposition: form-data; name='
const FILE = `${HEAD}"file"; filename="a"\r\n\r\n${'x'.repeat(100_000)}\r\n`
const UPLOAD = post('multipart/form-data; boundary=b',
  Buffer.from(`${HEAD}"field"\r\n\r\n1\r\n${FILE}${FILE}--b--\r\n`))

const UPLOADS = {}
for (const engine of ['diskStorage', 'memoryStorage', 'piping']) {
  for (const target of ['fast-body-parser/multer', 'multer']) {
    UPLOADS[`${target}, ${engine}`] = { target, parser: 'upload', options: { engine } }
  }
}

module.exports = [
  scenario('mixed', `${REQUESTS} requests to all four parsers, a third of them aborted at a random byte`, FOUR, MIXED,
    1 / 3),
  scenario('multer-aborts', `${REQUESTS} uploads of two files of 100 KB that are aborted at a random byte`, UPLOADS,
    [[UPLOAD, '200']], 1)
]
