'use strict'

// Ways to read a body that pay in other systems, in JavaScript and over the
// same bytes. None of them checks anything.

const { PassThrough } = require('node:stream')
const { StringDecoder } = require('node:string_decoder')
const bare = require('../competitors/bare')
const ours = require('../competitors/ours')
const { json } = require('../rows/bodies')
const { post } = require('../rows/row')

const needs = ['json']

function large (bytes, ascii) {
  return post('json', json(bytes, ascii), { options: { limit: '2mb' }, chunk: 64 * 1024 })
}

/** @type {import('../rows/row').Row[]} */
const rows = [
  { name: 'strategies, 300 B', needs, close: true, heap: true, build: () => post('json', json(300)) },
  { name: 'strategies, 208 KB', needs, close: true, heap: true, build: () => large(208500, true) },
  { name: 'strategies, 208 KB, not ASCII', needs, close: true, build: () => large(208500, false) },
  { name: 'strategies, 1 MB', needs, close: true, build: () => large(1048576, true) }
]

/** Decodes every chunk when it arrives. */
function chunkwise (req, res, next) {
  const decoder = new StringDecoder('utf8')
  let text = ''
  req.on('data', (chunk) => { text += decoder.write(chunk) })
  req.on('end', () => {
    req.body = JSON.parse(text + decoder.end())
    next()
  })
}

/** Keeps the chunks, and decodes them one by one at the end. */
function late (req, res, next) {
  const chunks = []
  req.on('data', (chunk) => chunks.push(chunk))
  req.on('end', () => {
    if (chunks.length === 1) {
      req.body = JSON.parse(chunks[0].toString())
      return next()
    }
    const decoder = new StringDecoder('utf8')
    let text = ''
    for (const chunk of chunks) text += decoder.write(chunk)
    req.body = JSON.parse(text + decoder.end())
    next()
  })
}

/** Reads the whole body from a pipe. */
function piped (req, res, next) {
  const chunks = []
  const pipe = req.pipe(new PassThrough())
  pipe.on('data', (chunk) => chunks.push(chunk))
  pipe.on('end', () => {
    const bytes = chunks.length === 1 ? chunks[0] : Buffer.concat(chunks)
    req.body = JSON.parse(bytes.toString())
    next()
  })
}

const POOLED = 64 * 1024 // bytes; a larger buffer does not go back to the pool
const FIRST = 4 * 1024 // bytes
const pool = []

/** Copies the chunks into a buffer that was used before. */
function pooled (req, res, next) {
  let buffer = pool.pop() ?? Buffer.allocUnsafeSlow(FIRST)
  let length = 0
  req.on('data', (chunk) => {
    if (length + chunk.length > buffer.length) buffer = grow(buffer, length + chunk.length)
    chunk.copy(buffer, length)
    length += chunk.length
  })
  req.on('end', () => {
    req.body = JSON.parse(buffer.toString('utf8', 0, length))
    if (buffer.length <= POOLED) pool.push(buffer)
    next()
  })
}

function grow (buffer, length) {
  const larger = Buffer.allocUnsafeSlow(Math.max(buffer.length * 2, length))
  buffer.copy(larger)
  return larger
}

/** Builds the value while the bytes arrive. */
function createIncremental () {
  const { JSONParser } = require('@streamparser/json')
  return (req, res, next) => {
    const parser = new JSONParser({ paths: ['$'] })
    parser.onValue = ({ value }) => { req.body = value }
    req.on('data', (chunk) => parser.write(chunk))
    req.on('end', next)
  }
}

function strategy (name, create) {
  return { name, checks: [], does: ['json'], create }
}

/** @type {import('../competitors').Competitor[]} */
const competitors = [
  { ...bare, name: 'whole buffer' },
  { ...ours, name: 'ours' },
  strategy('chunk by chunk', () => chunkwise),
  strategy('chunks at the end', () => late),
  strategy('PassThrough', () => piped),
  strategy('pooled buffer', () => pooled),
  strategy('incremental', createIncremental)
]

module.exports = { rows, competitors }
