'use strict'

// Uploads that are cut off at random bytes, and what they leave behind: looked
// at when `next` is called with an error, and at the end.

const { randomUUID } = require('node:crypto')
const fs = require('node:fs')
const os = require('node:os')
const path = require('node:path')
const { pipeline } = require('node:stream/promises')
const { setTimeout: delay } = require('node:timers/promises')
const zlib = require('node:zlib')
const { multipart } = require('../..')
const LocalServer = require('../../tools/local-server')
const openDescriptors = require('../../tools/open-descriptors')
const { createRandom, pick, randomInt } = require('../../tools/random')
const Talk = require('../../tools/talk')
const { form, formMessage } = require('./upload')

const body = form(['a', '1'], ['f', Buffer.alloc(150_000, 'x'), 'x'], ['f', Buffer.alloc(100_000, 'y'), 'y'])
const bodies = { identity: body, gzip: zlib.gzipSync(body, { level: 0 }) }

/**
 * @returns {Promise<{ outcomes: Record<string, number>, faults: string[], files: number, bytes: number,
 *   descriptors: number }>}
 */
async function runCuts (count, seed) {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'cut-uploads-'))
  const disk = multipart.disk(folder)
  const parsers = {
    disk: multipart({ store: disk }),
    'disk with a limit': multipart({ store: disk, files: { f: { max: 2, size: 120_000 } } }),
    memory: multipart(),
    'own store': multipart({ store: (file, { signal }) => store(path.join(folder, randomUUID()), file, signal) })
  }
  const outcomes = {}
  const faults = []
  const seen = { requests: 0, calls: 0 }
  const server = await LocalServer.open((req, res) => {
    const name = req.headers['x-parser']
    let called = false
    seen.requests++
    parsers[name](req, res, (error) => {
      const { files, descriptors } = leftIn(folder)
      if (called) faults.push(`${name}: next is called twice`)
      if (error && files + descriptors > 0) {
        faults.push(`${name}: ${error.type} with ${files} files and ${descriptors} descriptors`)
      }
      called = true
      seen.calls++
      const outcome = `${name}: ${error ? error.type ?? error.message : 'complete'}`
      outcomes[outcome] = (outcomes[outcome] ?? 0) + 1
      if (req.headers['x-throw']) res.destroy(new Error('the handler throws'))
      else res.end()
    })
  })
  const random = createRandom(seed)
  const oneInTwo = () => randomInt(2, random) === 0
  try {
    for (let i = 0; i < count; i++) {
      const [coding, bytes] = pick(Object.entries(bodies), random)
      const length = randomInt(10, random) === 0 ? bytes.length : 1 + randomInt(bytes.length, random)
      const before = { ...seen }
      const headers = {
        'Content-Length': bytes.length,
        'Content-Encoding': coding,
        'X-Parser': Object.keys(parsers)[i % 4],
        'X-Throw': oneInTwo() ? '1' : undefined
      }
      const talk = await Talk.open(server)
      await talk.send(formMessage(bytes.subarray(0, length), { headers }))
      if (oneInTwo()) await delay(randomInt(4, random))
      if (length < bytes.length) talk[pick(['close', 'reset', 'halfClose'], random)]()
      for (let wait = 0; seen.calls === before.calls && wait < 2000; wait++) {
        if (wait > 100 && seen.requests === before.requests) break // it was cut before it was one
        await delay(1)
      }
      if (seen.calls - before.calls !== seen.requests - before.requests) {
        faults.push(`next is not called, cut at ${length} of ${bytes.length}: ${JSON.stringify(headers)}`)
      }
      talk.close()
      // Files of a complete one stay until its response is closed.
      for (let wait = 0; leftIn(folder).files > 0 && wait < 1000; wait++) await delay(1)
    }
    return { outcomes, faults, ...leftIn(folder) }
  } finally {
    server.close()
    fs.rmSync(folder, { recursive: true })
  }
}

/** As an app would write it: removes what it has written when it fails, and returns nothing that stays. */
async function store (file, stream, signal) {
  try {
    await pipeline(stream, fs.createWriteStream(file), { signal })
  } finally {
    await fs.promises.rm(file, { force: true })
  }
}

function leftIn (folder) {
  const names = fs.readdirSync(folder)
  const sizes = names.map((name) => fs.statSync(path.join(folder, name), { throwIfNoEntry: false })?.size ?? 0)
  const descriptors = openDescriptors().filter((target) => target.startsWith(folder))
  return { files: names.length, bytes: sizes.reduce((sum, size) => sum + size, 0), descriptors: descriptors.length }
}

module.exports = { runCuts }
