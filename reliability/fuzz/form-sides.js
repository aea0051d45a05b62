'use strict'

// Two products read forms, the middleware and /web. Here each is asked in its own way, without a server, and what is
// left of its files is counted.

const { EventEmitter } = require('node:events')
const fs = require('node:fs')
const os = require('node:os')
const path = require('node:path')
const { Readable } = require('node:stream')
const { setTimeout: delay } = require('node:timers/promises')
const { multipart } = require('../..')
const web = require('../../lib/web')

const PATIENCE = 5000 // ms after which it hangs
const LOOKS = 20 // for files that are being removed
const LOOK = 5 // ms between them

/**
 * `multipart` makes a reader of forms, of which `partsOf` gives the loop over the parts; `read` gives fields and files,
 * and a function that ends the request, which removes the files.
 */
const middleware = {
  multipart,
  requestOf (headers, pieces) {
    const req = Readable.from(pieces, { objectMode: false })
    req.on('error', () => {}) // a server's request emits none that nobody listens to
    return Object.assign(req, { headers, method: 'POST' })
  },
  read: (parser, req) => new Promise((resolve, reject) => {
    const res = new EventEmitter()
    parser(req, res, (error) => {
      if (error !== undefined) reject(error)
      else resolve({ fields: req.body, files: req.files, end: () => res.emit('close') })
    })
  }),
  partsOf: (parser, req) => parser.parts(req, new EventEmitter())
}

const fetchSide = {
  multipart: web.multipart,
  requestOf (headers, pieces) {
    const hasBody = (headers['content-length'] ?? headers['transfer-encoding']) !== undefined
    const body = hasBody ? streamOf(pieces) : undefined
    return new Request('http://localhost/', { method: 'POST', headers, body, duplex: 'half' })
  },
  async read (readForm, request) {
    const form = await readForm(request)
    return { fields: form?.fields, files: form?.files ?? Object.create(null), end: () => form?.dispose() }
  },
  partsOf: (readForm, request) => readForm.parts(request)
}

/** @param {Iterable<Buffer> | AsyncIterable<Buffer>} pieces */
function streamOf (pieces) {
  const iterator = (pieces[Symbol.asyncIterator] ?? pieces[Symbol.iterator]).call(pieces)
  return new ReadableStream({
    async pull (controller) {
      try {
        const { done, value } = await iterator.next()
        if (done) controller.close()
        else controller.enqueue(new Uint8Array(value))
      } catch (error) {
        controller.error(error)
      }
    }
  })
}

/**
 * @param {(folder: string) => Promise<object>} run
 * @returns {Promise<object>} what that gives, or `hangs`; and how many files are `left` in its folder
 */
async function inFolder (run) {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'fuzz-forms-'))
  const countLeft = () => fs.readdirSync(folder).length
  try {
    const hangs = delay(PATIENCE, { hangs: true }, { ref: false })
    const seen = await Promise.race([run(folder), hangs])
    for (let look = 0; look < LOOKS && countLeft() > 0; look++) await delay(LOOK)
    return { ...seen, left: countLeft() }
  } finally {
    fs.rmSync(folder, { recursive: true, force: true })
  }
}

async function collect (file) {
  const chunks = []
  for await (const chunk of file) chunks.push(chunk)
  return Buffer.concat(chunks)
}

/** Cuts bytes into pieces of random lengths. @param {number} [most] bytes of a piece */
function cut (content, below, most = content.length) {
  const pieces = []
  for (let at = 0; at < content.length;) pieces.push(content.subarray(at, at += 1 + below(most)))
  return pieces
}

module.exports = { collect, cut, inFolder, sides: { middleware, web: fetchSide } }
