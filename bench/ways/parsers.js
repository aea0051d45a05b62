'use strict'

// Parsers of forms by themselves, which discard the files.

const { Readable, Writable } = require('node:stream')
const { multipart } = require('../..')
const { BOUNDARY, KB, MB, bodies, typeWith } = require('../forms')
const lowestCpu = require('../measure/lowest-cpu')

const LIMIT = 64 * MB
const TWICE = { time: 400, batch: 200 } // ms

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

const busboy = (onFile) => (req) => new Promise((resolve, reject) => {
  const parser = require('busboy')({ headers: req.headers, limits: { fileSize: LIMIT } })
  parser.on('file', (name, file) => onFile(file)).on('field', () => {})
  req.pipe(parser.on('error', reject).on('close', resolve))
})

function formidable (req) {
  const discard = () => new Writable({ write: (chunk, encoding, done) => done() })
  return require('formidable').default({ maxFileSize: LIMIT, fileWriteStreamHandler: discard }).parse(req)
}

const parsers = {
  discard: () => read,
  busboy: () => busboy((file) => file.resume()),
  'busboy, for await': () => busboy(loop),
  formidable: () => formidable,
  'ours, events': () => ours({ store: read }),
  'ours, for await': () => ours({ store: loop }),
  'ours, memory': () => ours()
}

exports.names = Object.keys(parsers)

/** null of one that refuses such a body. */
exports.measure = (form, way) => {
  const parse = parsers[way]()
  return lowestCpu(() => parse(requestOf(bodies[form])), TWICE).catch(() => null)
}
