'use strict'

// What an app sees of a case: by the middleware, and by /web.

const fs = require('node:fs')
const path = require('node:path')
const { setImmediate: turn } = require('node:timers/promises')
const zlib = require('node:zlib')
const digestOf = require('../../test/support/content-digest')
const { cut, writeForm } = require('./form')
const { inFolder, middleware, web } = require('./products')

const CODERS = { gzip: zlib.gzipSync, deflate: zlib.deflateSync, br: zlib.brotliCompressSync }

/** What the app reads of a file. @type {Record<string, (file: object) => unknown>} */
const ACTS = {
  async read (file) {
    const chunks = []
    for await (const chunk of file) chunks.push(chunk)
    return { all: Buffer.concat(chunks) }
  },
  async part (file) {
    for await (const [byte] of file) return { beginning: Buffer.of(byte) } // eslint-disable-line no-unreachable-loop
    return {} // it is empty
  },
  nothing: () => ({})
}

/** The type of a file by its first byte. */
const typeOf = (head) => `test/x${head[0] ?? ''}`

/** @type {Record<string, (head: Uint8Array) => unknown>} */
const DETECTORS = { none: undefined, 'by content': typeOf, unknown: () => undefined }

async function observe (drawn) {
  const body = Buffer.from(writeForm(drawn.form), 'latin1')
  const content = CODERS[drawn.coding]?.(body) ?? body
  const outcomeOf = (product) => inFolder((folder) => run(product, drawn, content, folder))
  const [seen, expected] = await Promise.all([outcomeOf(web), outcomeOf(middleware)])
  return { seen, expected }
}

async function run ({ multipart, partsOf, read, requestOf }, drawn, content, folder) {
  const seen = { asked: [], isWhole: false }
  const taken = [] // by the loop
  let parser
  try {
    parser = multipart(optionsOf(drawn, multipart.disk(folder), seen.asked))
  } catch (error) {
    return { ...seen, taken, created: error.message }
  }
  try {
    const sent = drawn.arrival === 'cut' ? content.subarray(0, Math.floor(content.length * drawn.at / 1000)) : content
    const request = requestOf(headersOf(drawn, content, sent), piecesOf(drawn, sent))
    if (drawn.isByParts) seen.isWhole = await takeParts(partsOf(parser, request), drawn, taken)
    else {
      const { fields, files, end } = await read(parser, request)
      seen.fields = plain(fields, folder)
      const isStreamed = drawn.store === 'stream'
      if (!isStreamed) seen.files = plain(files, folder)
      seen.isWhole = !isStreamed || await takeParts(files, drawn, taken)
      await end()
    }
  } catch (error) {
    seen.error = errorOf(error)
  }
  return { ...seen, taken: plain(taken, folder) }
}

/** Options of `multipart()`, whose functions tell what they are called with. */
function optionsOf ({ detect, filter, options, store }, disk, asked) {
  const telling = (what, answer) => (file, { fields, signal }) => {
    const { field, name, folder, type } = file
    asked.push({ what, field, name, folder, type, fields: structuredClone(fields), isAborted: signal.aborted })
    return answer(file)
  }
  const ask = telling('filter', ({ name }) => name !== 'n')
  const rules = Object.entries(options.files ?? {}).map(([name, rule]) => [name, { ...rule, filter: ask }])
  return {
    ...options,
    ...filter !== 'none' && options.files && { files: Object.fromEntries(rules) },
    detect: DETECTORS[detect],
    store: { disk, memory: 'memory', stream: 'stream' }[store] ?? telling('store', ACTS[store])
  }
}

/** @returns {Promise<boolean>} whether it has come to the end of the parts, or of files that are streamed */
async function takeParts (parts, { acts, leaves, most }, taken) {
  let count = 0
  for await (const part of parts) {
    if (leaves && count === most) return false
    const { field, name, folder, type, declaredType, headers, value, bytes } = part
    taken.push({ what: 'part', field, name, folder, type, declaredType, headers, value, bytes })
    if (name === undefined) continue
    const content = await ACTS[acts[count++ % acts.length]](part)
    taken.push({ what: 'content', ...content, digest: content.all && part.digest }) // which it has once it is read
  }
  return true
}

function headersOf ({ coding, form: { boundary }, given, length, type }, content, sent) {
  const digests = { right: digestOf(content), wrong: digestOf('other', 'sha-512'), odd: 'md5=:eA==:, a' }
  const more = { less: -1, more: 1 }[length] ?? 0
  return {
    ...type !== '' && { 'content-type': type.replace('§', boundary) },
    ...coding !== 'identity' && { 'content-encoding': coding },
    ...digests[given] && { 'content-digest': digests[given] },
    ...length === 'chunked' && { 'transfer-encoding': 'chunked' },
    ...!['chunked', 'none'].includes(length) && { 'content-length': String(Math.max(sent.length + more, 0)) }
  }
}

async function * piecesOf ({ arrival, at, sizes }, content) {
  const place = Math.floor(content.length * at / 1000)
  const sent = Buffer.from(arrival === 'aborted' ? content.subarray(0, place) : content)
  if (arrival === 'bit') sent[place] ^= 1 << at % 8
  for (const piece of cut(sent, sizes)) {
    yield piece
    if (piece.length % 7 === 0) await turn()
  }
  if (arrival === 'aborted') throw Object.assign(new Error('aborted'), { code: 'ECONNRESET' })
}

/** All that an app can see of it, but for the stack. */
function errorOf (error) {
  if (error.code === 'ECONNRESET' || error.type === 'request.aborted') return { status: 400, type: 'request.aborted' }
  const message = error.message.replace(/\/[\w./-]*fuzz-forms-\w+/g, '<folder>')
  const { expose, name, status } = error
  const entries = Object.entries(error).filter(([name]) => name !== 'path') // that of a folder
  const fields = entries.map(([name, value]) => [name, value instanceof Error ? value.message : value])
  return { name, message, status, expose, ...Object.fromEntries(fields) }
}

/** Bytes as text, files on the disk with their content, and prototypes that are null marked. */
function plain (value, folder) {
  if (ArrayBuffer.isView(value)) return Buffer.from(value).toString('hex')
  if (Object(value) !== value) return value
  if (Array.isArray(value)) return value.map((item) => plain(item, folder))
  const { keep, path: file, toFile, ...others } = value
  const entries = Object.entries(others).map(([name, item]) => [name, plain(item, folder)])
  const stored = typeof keep === 'function' && {
    bytes: fs.readFileSync(file, 'hex'),
    place: path.relative(folder, path.dirname(file))
  }
  const mark = Object.getPrototypeOf(value) === null && { '<null>': true }
  return Object.assign(Object.fromEntries(entries), stored, mark)
}

module.exports = { ACTS: Object.keys(ACTS), DETECTORS: Object.keys(DETECTORS), observe, typeOf }
