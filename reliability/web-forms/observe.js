'use strict'

// What an app sees of a case: by the middleware, and by /web.

const { EventEmitter } = require('node:events')
const fs = require('node:fs')
const os = require('node:os')
const path = require('node:path')
const { Readable } = require('node:stream')
const { setTimeout: delay } = require('node:timers/promises')
const { multipart } = require('../..')
const web = require('../../lib/web')
const { hexOf, optionsOf, takeParts } = require('./app')

const PATIENCE = 5000 // ms after which it hangs

/**
 * How each is asked: `make` makes a reader of forms, of which `parts` gives the loop; `read` gives fields and files,
 * and a function that ends the request, which removes the files.
 */
const middleware = {
  multipart,
  requestOf ({ headers, pieces }) {
    return Object.assign(Readable.from(pieces, { objectMode: false }), { headers, method: 'POST' })
  },
  read: (parser, req) => new Promise((resolve, reject) => {
    const res = new EventEmitter()
    parser(req, res, (error) => {
      if (error !== undefined) return reject(error)
      resolve({ fields: req.body, files: req.files, end: () => res.emit('close') })
    })
  }),
  partsOf: (parser, req) => parser.parts(req, new EventEmitter())
}

const fetchSide = {
  multipart: web.multipart,
  requestOf ({ headers, pieces }) {
    const { 'content-length': length, 'transfer-encoding': chunked } = headers
    const hasBody = length !== undefined || chunked !== undefined
    const body = hasBody ? Readable.toWeb(Readable.from(pieces, { objectMode: false })) : undefined
    return new Request('http://localhost/', { method: 'POST', headers, body, duplex: 'half' })
  },
  async read (readForm, request) {
    const form = await readForm(request)
    return { fields: form?.fields, files: form?.files ?? Object.create(null), end: () => form?.dispose() }
  },
  partsOf: (readForm, request) => readForm.parts(request)
}

/**
 * @param {import('./case').Case} drawn
 * @returns {Promise<{ seen: object, expected: object }>} by /web, and by the middleware
 */
module.exports = async function observe (drawn) {
  const [seen, expected] = await Promise.all([outcomeOf(fetchSide, drawn), outcomeOf(middleware, drawn)])
  return { seen, expected }
}

async function outcomeOf (side, drawn) {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'fuzz-forms-'))
  try {
    const hangs = delay(PATIENCE, { hangs: true }, { ref: false })
    return await Promise.race([run(side, drawn, folder), hangs])
  } finally {
    fs.rmSync(folder, { recursive: true, force: true })
  }
}

async function run ({ multipart, partsOf, read, requestOf }, drawn, folder) {
  const [asked, taken] = [[], []] // of the filter and the store, and by the loop, which may be behind them
  let parser
  try {
    parser = multipart(optionsOf(drawn, multipart.disk, folder, asked))
  } catch (error) {
    return { created: error.message }
  }
  const result = await attempt(async () => {
    if (drawn.loop !== null) return takeParts(partsOf(parser, requestOf(drawn)), drawn.loop, taken)
    const { fields, files, end } = await read(parser, requestOf(drawn))
    const form = { fields: plain(fields, folder), files: plain(files, folder) }
    await end()
    return form
  })
  for (let left = 20; fs.readdirSync(folder).length > 0 && left > 0; left--) await delay(5)
  return { asked, taken, ...result, left: fs.readdirSync(folder).length }
}

async function attempt (act) {
  try {
    return await act()
  } catch (error) {
    return { error: errorOf(error) }
  }
}

/** All that an app can see of it, but for the stack. */
function errorOf (error) {
  if (!(error instanceof Error)) return { thrown: String(error) }
  const message = error.message.replace(/\/[\w./-]*fuzz-forms-\w+/g, '<folder>')
  const { expose, name, status } = error
  return { name, message, status, expose, ...fieldsOf(error) }
}

function fieldsOf (error) {
  const entries = Object.entries(error).filter(([name]) => name !== 'path') // that of a folder
  return Object.fromEntries(entries.map(([name, value]) => [name, value instanceof Error ? value.message : value]))
}

/** Bytes as text, files on the disk with their content, and prototypes that are null marked. */
function plain (value, folder) {
  if (ArrayBuffer.isView(value)) return hexOf(value)
  if (Object(value) !== value) return value
  if (Array.isArray(value)) return value.map((item) => plain(item, folder))
  const { keep, path: file, toFile, ...others } = value
  const entries = Object.entries(others).map(([name, item]) => [name, plain(item, folder)])
  const stored = typeof keep === 'function' && {
    content: fs.readFileSync(file, 'hex'),
    place: path.relative(folder, path.dirname(file))
  }
  const mark = Object.getPrototypeOf(value) === null && { '<null>': true }
  return Object.assign(Object.fromEntries(entries), stored, mark)
}
