'use strict'

// multipart() of the middleware and of /web, each asked in its own way, without a server.

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

/** Of a request that is no form: an object, or a stream. */
const NO_FILES = Object.create(null, { [Symbol.asyncIterator]: { value: async function * () {} } })

/** `partsOf` gives the loop over the parts, `read` fields and files, and what ends the request and removes these. */
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

const ofWeb = {
  multipart: web.multipart,
  requestOf (headers, pieces) {
    const hasBody = (headers['content-length'] ?? headers['transfer-encoding']) !== undefined
    const body = hasBody ? Readable.toWeb(Readable.from(pieces, { objectMode: false })) : undefined
    return new Request('http://localhost/', { method: 'POST', headers, body, duplex: 'half' })
  },
  async read (readForm, request) {
    const form = await readForm(request)
    return { fields: form?.fields, files: form?.files ?? NO_FILES, end: () => form?.dispose() }
  },
  partsOf: (readForm, request) => readForm.parts(request)
}

/** @returns {Promise<object>} what `run` gives, or `hangs`; and how many files are `left` in its folder */
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

module.exports = { inFolder, middleware, web: ofWeb }
