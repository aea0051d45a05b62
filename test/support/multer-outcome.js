'use strict'

// What multer, or its stand-in, makes of one form: everything that an app can
// see, in a shape in which two of them can be compared.

const fs = require('node:fs')
const os = require('node:os')
const path = require('node:path')
const { setImmediate: turn } = require('node:timers/promises')
const express = require('express')
const filesIn = require('../../tools/files-in')
const inTime = require('./in-time')
const { connect } = require('./shared-server')
const { formMessage } = require('./upload')

const NO_FOLDER = '<none>'
const handlers = new WeakMap() // the server's end of a connection -> what handles its request

const app = express()
app.use((req, res, next) => handlers.get(req.socket).upload(req, res, next))
app.use((req, res) => handlers.get(req.socket).observe(req, res))
app.use((error, req, res, next) => handlers.get(req.socket).observe(req, res, error))

/**
 * Sends a form to a middleware that `make` makes, in a folder that is there if it takes two arguments.
 *
 * @returns {Promise<object>} `error`, its `status`, `body`, `file` and `files` as the handler sees them; `left`: files
 *   on the disk at that time; `calls`: how often `next` was called; or `hangs`, after `patience` ms
 */
async function outcomeOf (multer, { make, body, patience = 3000, ...message }) {
  const folder = make.length > 1 ? fs.mkdtempSync(path.join(os.tmpdir(), 'multer-outcome-')) : NO_FOLDER
  const seen = { calls: 0 }
  let resolve
  const done = new Promise((_resolve) => { resolve = _resolve })
  const upload = make(multer, folder)
  const talk = await connect(app)
  handlers.set(talk.peer, {
    upload: (req, res, next) => upload(req, res, (error) => { if (++seen.calls === 1) next(error) }),
    observe (req, res, error) {
      Object.assign(seen, describe(req, error, folder), { left: countFiles(folder) })
      res.end('answer')
      resolve()
    }
  })
  try {
    await talk.send(formMessage(body, message), turn)
    const isLate = await inTime(done, patience, true)
    for (let turns = 0; turns < 3; turns++) await turn() // a second call
    return isLate === true ? { hangs: true } : seen
  } finally {
    talk.peer.destroy()
    await turn()
    if (make.length > 1) fs.rmSync(folder, { recursive: true, force: true })
  }
}

function describe (req, error, folder) {
  if (error !== undefined) dropBuffers(req)
  const relative = (value) => plain(value, folder)
  const seen = { body: relative(req.body) }
  if ('file' in req) seen.file = relative(req.file)
  if ('files' in req) seen.files = relative(req.files)
  if (error === undefined) return seen
  return { ...seen, error: relative(errorOf(error)), status: error?.status }
}

/** multer removes those of memory at times. */
function dropBuffers ({ file, files = [] }) {
  for (const removed of [file ?? [], Object.values(files)].flat(2)) Reflect.deleteProperty(removed, 'buffer')
}

/** The fields that apps match on. */
function errorOf (error) {
  if (!(error instanceof Error)) return { thrown: plain(error, '/') }
  const { name, message, code, field, filename, storageErrors } = error
  const fields = { name, message, code, field, filename, storageErrors: storageErrors?.map(({ message }) => message) }
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined))
}

/** With prototypes that are null marked, bytes as text, and neither random names nor folders. */
function plain (value, folder) {
  if (typeof value === 'string') return value.replaceAll(folder, '<folder>').replace(/\b[\da-f]{32}\b/g, '<random>')
  if (Object(value) !== value) return value === undefined ? '<undefined>' : value
  if (Buffer.isBuffer(value)) return `<bytes> ${value.toString('latin1')}`
  const entries = Object.entries(value).map(([key, item]) => [key, plain(item, folder)])
  const object = Object.fromEntries(entries)
  if (Array.isArray(value)) {
    return entries.length === value.length ? Object.values(object) : { '<sparse>': value.length, ...object }
  }
  return Object.getPrototypeOf(value) === null ? { '<null>': true, ...object } : object
}

/** How many; none if the test is over. */
function countFiles (folder) {
  if (!fs.existsSync(folder)) return 0
  return filesIn(folder).length
}

module.exports = { describe, outcomeOf }
