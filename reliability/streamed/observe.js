'use strict'

// What an app sees of a form: by the middleware, or by /web.

const { createHash } = require('node:crypto')
const { EventEmitter } = require('node:events')
const fs = require('node:fs')
const os = require('node:os')
const path = require('node:path')
const { Readable } = require('node:stream')
const { setImmediate: turn, setTimeout: delay } = require('node:timers/promises')
const { multipart } = require('../..')
const web = require('../../lib/web')

const PATIENCE = 5000 // ms after which it hangs
const LEFT = 'of the app'

/** @returns {string} the type of a file by its first byte */
const typeOf = (head) => `test/x${head[0] ?? ''}`

const DETECTORS = {
  'by content': typeOf,
  'by content, later': async (head) => {
    await turn()
    return typeOf(head)
  },
  unknown: () => undefined
}

async function collect (file) {
  const chunks = []
  for await (const chunk of file) chunks.push(chunk)
  return Buffer.concat(chunks)
}

/** What each act reads of a file: all of it, or its beginning. */
const ACTS = {
  read: async (file) => ({ all: await collect(file) }),
  async 'read late' (file) {
    await turn()
    return ACTS.read(file)
  },
  async 'peek, read' (file) {
    const beginning = await file.peek(5)
    return { beginning, ...await ACTS.read(file) }
  },
  async part (file) {
    for await (const beginning of file) return { beginning } // eslint-disable-line no-unreachable-loop
  },
  peek: async (file) => ({ beginning: await file.peek(5) }),
  nothing: () => ({})
}

/** Of the files in a loop, each told to `seen` once it is read. */
async function readFiles (files, { acts, end, most }, seen) {
  if (end === 'nothing') return
  for await (const file of files) {
    const { field, name, type, declaredType } = file
    const told = { field, name, type, declaredType }
    if (end === 'throw' && seen.files.length === most) throw new Error(LEFT)
    if (end === 'leave' && seen.files.length === most) return
    seen.files.push(told)
    Object.assign(told, await ACTS[acts[seen.files.length - 1]](file))
    if (told.all !== undefined) told.digest = file.digest
  }
  seen.isWhole = true
}

const SIDES = {
  middleware: {
    multipart,
    requestOf (headers, bodyOf) {
      const req = Readable.from(bodyOf(), { objectMode: false })
      req.on('error', () => {}) // a server's request emits none that nobody listens to
      return Object.assign(req, { headers, method: 'POST' })
    },
    read: (parser, req) => new Promise((resolve, reject) => {
      const res = new EventEmitter()
      parser(req, res, (error) => {
        if (error !== undefined) reject(error)
        else resolve({ fields: req.body, files: req.files, end: () => res.emit('close') })
      })
    })
  },
  web: {
    multipart: web.multipart,
    requestOf (headers, bodyOf) {
      const pieces = bodyOf()
      const body = new ReadableStream({
        async pull (controller) {
          try {
            const { done, value } = await pieces.next()
            if (done) controller.close()
            else controller.enqueue(new Uint8Array(value))
          } catch (error) {
            controller.error(error)
          }
        }
      })
      return new Request('http://localhost/', { method: 'POST', headers, body, duplex: 'half' })
    },
    async read (readForm, request) {
      const { fields, files, dispose } = await readForm(request)
      return { fields, files, end: dispose }
    }
  }
}

/** @param {import('./case').Case} drawn */
module.exports = async function observe (drawn) {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'fuzz-streamed-'))
  const seen = { fields: null, files: [], isWhole: false, error: null, left: 0, hangs: true }
  try {
    await Promise.race([run(drawn, folder, seen), delay(PATIENCE, undefined, { ref: false })])
    for (let looks = 20; fs.readdirSync(folder).length > 0 && looks > 0; looks--) await delay(5)
    seen.left = fs.readdirSync(folder).length
  } finally {
    fs.rmSync(folder, { recursive: true, force: true })
  }
  return seen
}

async function run (drawn, folder, seen) {
  const { multipart, read, requestOf } = SIDES[drawn.side]
  try {
    const parser = multipart(optionsOf(drawn, multipart, folder))
    const { fields, files, end } = await read(parser, requestOf(headersOf(drawn), () => bodyOf(drawn)))
    seen.fields = fields
    if (drawn.store === 'stream') await readFiles(files, drawn, seen)
    else takeFiles(files, seen)
    await end()
  } catch (error) {
    seen.error = error
  }
  seen.hangs = false
}

/** Those that are stored. */
function takeFiles (files, seen) {
  for (const { field, name, type, declaredType, digest, bytes, path } of Object.values(files).flat()) {
    const all = Buffer.from(bytes ?? fs.readFileSync(path))
    seen.files.push({ field, name, type, declaredType, digest, all })
  }
  seen.isWhole = true
}

function optionsOf ({ options: { detect, digest, contentDigest }, store }, { disk }, folder) {
  return {
    files: { '*': { max: 10 } },
    store: store === 'disk' ? disk(folder) : store,
    ...detect !== 'none' && { detect: DETECTORS[detect] },
    ...digest !== 'none' && { digest },
    ...contentDigest !== 'none' && { contentDigest }
  }
}

function headersOf ({ boundary, coding, content, options: { contentDigest } }) {
  return {
    'content-type': `multipart/form-data; boundary="${boundary}"`,
    'transfer-encoding': 'chunked',
    ...coding !== 'identity' && { 'content-encoding': coding },
    ...contentDigest !== 'none' && {
      'content-digest': `sha-256=:${createHash('sha256').update(content).digest('base64')}:`
    }
  }
}

async function * bodyOf ({ fault, pieces }) {
  for (const piece of pieces) {
    yield piece
    if (piece.length % 7 === 0) await turn()
  }
  if (fault === 'cut') throw Object.assign(new Error('aborted'), { code: 'ECONNRESET' })
}

module.exports.LEFT = LEFT
module.exports.typeOf = typeOf
