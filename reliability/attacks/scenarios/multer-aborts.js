'use strict'

const fs = require('node:fs')
const { setTimeout: delay } = require('node:timers/promises')
const { serializeRequest } = require('../../../tools/http-message')
const { createRandom, pick, randomInt } = require('../../../tools/random')
const Talk = require('../../../tools/talk')
const { MB } = require('../catalog/fill')
const { collected } = require('./clients')

const UPLOADS = 2000
const WARM = 200 // uploads before
const AT_A_TIME = 20
const SIZE = 100_000 // bytes of a file
const PAUSE = 4 // ms, at most, before it is aborted
const PATIENCE = 8000 // ms; more than `next` waits for engines
const SLACK = 8 // MB
const SEED = 1

const OURS = 'fast-body-parser/multer'
const ROWS = {}
for (const engine of ['diskStorage', 'memoryStorage', 'piping']) {
  for (const target of [OURS, 'multer']) {
    ROWS[`${target}, ${engine}`] = { target, parser: 'upload', options: { engine } }
  }
}

const HEAD = '--b\r\nContent-Disposition: form-data; name='
const FILE = `${HEAD}"file"; filename="a"\r\n\r\n${'x'.repeat(SIZE)}\r\n`
const upload = serializeRequest({
  headers: { 'Content-Type': 'multipart/form-data; boundary=b' },
  body: Buffer.from(`${HEAD}"field"\r\n\r\n1\r\n${FILE}${FILE}--b--\r\n`)
})
const bodyAt = upload.indexOf('\r\n\r\n') + 4

/** @type {import('./catalog').Scenario} */
module.exports = {
  name: 'multer-aborts',
  what: `${UPLOADS} uploads of two files of 100 KB that are aborted at a random byte, for each of three engines`,
  columns: ['requests', 'no next', 'files', 'descriptors', 'MB of heap and buffers more than after the first'],
  rows: ROWS,
  flags: ['--expose-gc'],
  async run (server) {
    const random = createRandom(SEED)
    await abortUploads(server.port, WARM, random)
    const before = await settled(server)
    await abortUploads(server.port, UPLOADS, random)
    const { folder, requests, pending, files, descriptors, buffers, heap } = await settled(server)
    fs.rmSync(folder, { recursive: true })
    const memory = buffers + heap - before.buffers - before.heap
    return [requests - before.requests, pending, files, descriptors, memory / MB]
  },
  faultsOf: (figures) => Object.entries(figures).filter(([row]) => row.startsWith(OURS)).flatMap(([row, cells]) => {
    const [, pending, files, descriptors, memory] = cells
    return [
      pending > 0 && `${row}: requests of clients that have left are pending`,
      files > 0 && `${row}: files are left`,
      descriptors > 0 && `${row}: descriptors are left`,
      memory > SLACK && `${row}: memory grows`
    ]
  })
}

function abortUploads (port, count, random) {
  let left = count
  return Promise.all(Array.from({ length: AT_A_TIME }, async () => {
    while (left-- > 0) await abortUpload(port, random)
  }))
}

async function abortUpload (port, random) {
  const length = bodyAt + randomInt(upload.length - bodyAt, random)
  const how = pick(['close', 'reset', 'halfClose'], random)
  const talk = await Talk.open(port)
  await talk.write(upload.subarray(0, length))
  await delay(randomInt(PAUSE, random))
  talk[how]()
  await talk.until(() => talk.closed, Infinity)
}

/** Waits until nothing is left, or has had its time; and collects garbage. */
async function settled (server) {
  const deadline = performance.now() + PATIENCE
  while (true) {
    const sample = await collected(server)
    const { pending, files, descriptors } = sample
    if (pending + files + descriptors === 0 || performance.now() > deadline) return sample
  }
}
