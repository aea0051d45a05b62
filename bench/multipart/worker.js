'use strict'

// A process for one parser and one body, as busboy reads fields up to four times
// as fast once it has read large files: `node worker.js PARSER BODY` prints us of
// CPU time per form, or null if the parser refuses this body, or hangs at it.

const { Readable, Writable } = require('node:stream')
const { multipart } = require('../..')
const { BOUNDARY, KB, MB, bodies, typeWith } = require('./bodies')

const LIMIT = 64 * MB
const TIME = 200 // ms
const LATE = 5000 // ms; formidable takes seconds for a megabyte of CRLFs

/** A request that itself costs little. */
function requestOf ({ body, chunk = 64 * KB, boundary = BOUNDARY }) {
  let at = 0
  const read = () => { req.push(at < body.length ? body.subarray(at, at += chunk) : null) }
  const req = new Readable({ highWaterMark: 64 * KB, read })
  return Object.assign(req, { headers: { 'content-type': typeWith(boundary), 'content-length': String(body.length) } })
}

const read = (req) => new Promise((resolve, reject) => req.on('data', () => {}).on('end', resolve).on('error', reject))
const loop = async (file) => { for await (const chunk of file) chunk.at(0) }

function ours (options) {
  const middleware = multipart({ limit: LIMIT, ...options })
  return (req) => new Promise((resolve, reject) => middleware(req, {}, (error) => error ? reject(error) : resolve()))
}

const listen = (id, onFile) => (req) => new Promise((resolve, reject) => {
  const parser = require(id)({ headers: req.headers, limits: { fileSize: LIMIT } })
  parser.on('file', (name, file) => onFile(file)).on('field', () => {})
  req.pipe(parser.on('error', reject).on('close', resolve).on('finish', resolve))
})

/** Its files are streams, or it calls a function with each chunk. */
function multipasta (req) {
  return new Promise((resolve, reject) => {
    const parser = require('multipasta/node').make({ headers: req.headers, maxPartSize: LIMIT })
    parser.on('file', (file) => file.resume()).on('field', () => {}).resume()
    req.pipe(parser.on('error', reject).on('end', resolve))
  })
}

function multipastaCallbacks (req) {
  return new Promise((resolve, reject) => {
    const on = { onFile: () => () => {}, onField () {}, onError: reject, onDone: resolve }
    const parser = require('multipasta').make({ headers: req.headers, maxPartSize: LIMIT, ...on })
    req.on('data', parser.write).on('end', parser.end)
  })
}

function formidable (req) {
  const discard = () => new Writable({ write: (chunk, encoding, done) => done() })
  return require('formidable').default({ maxFileSize: LIMIT, fileWriteStreamHandler: discard }).parse(req)
}

/** Each reads a form to its end, and discards its files. */
const parsers = {
  discard: read,
  busboy: listen('busboy', (file) => file.resume()),
  '@fastify/busboy': listen('@fastify/busboy', (file) => file.resume()),
  'busboy, for await': listen('busboy', loop),
  '@fastify/busboy, for await': listen('@fastify/busboy', loop),
  formidable,
  multipasta,
  'multipasta, callbacks': multipastaCallbacks,
  'ours, events': ours({ store: read }),
  'ours, for await': ours({ store: loop }),
  'ours, memory': ours()
}

async function measure (parse, body) {
  const begin = process.cpuUsage()
  const end = performance.now() + TIME
  let done = 0
  do {
    const late = new Promise((resolve, reject) => { setTimeout(reject, LATE) })
    await Promise.race([parse(requestOf(body)), late])
    done++
  } while (performance.now() < end)
  const { user, system } = process.cpuUsage(begin)
  return (user + system) / done
}

async function main ([parser, body]) {
  const measureAll = () => measure(parsers[parser], bodies[body])
  const print = (figure) => process.stdout.write(JSON.stringify(figure), () => process.exit()) // what hangs, too
  await measureAll().then(measureAll).then(print, () => print(null))
}

if (require.main === module) main(process.argv.slice(2))

module.exports = Object.keys(parsers)
