'use strict'

// Ways to take the form of a Request: in servers, and by themselves.

const assert = require('node:assert/strict')
const { multipart } = require('../../lib/web')
const { bodies, BOUNDARY, KB, typeWith } = require('../forms')
const lowestCpu = require('../measure/lowest-cpu')
const { discard } = require('./uploads')

const MOST = 2 ** 40 // bytes
const CHUNK = 64 * KB
const SLOW = 1024 * KB // bytes between two pauses of a slow store
const PAUSE = 5 // ms
const PARTLY = { time: 2500, batch: 500 } // ms

async function discardSlowly ({ stream }) {
  let left = SLOW
  for await (const chunk of stream) {
    left -= chunk.length
    if (left > 0) continue
    left = SLOW
    await new Promise((resolve) => setTimeout(resolve, PAUSE))
  }
}

const options = { limit: 2 * MOST, files: { '*': { size: MOST } } }

function readWith (store) {
  const readForm = multipart({ ...options, store })
  return async (request) => { await (await readForm(request)).dispose() }
}

function byRemix (read) {
  const limits = { maxFileSize: MOST, maxTotalSize: MOST }
  return async (request) => {
    const { parseMultipartRequest } = await import('@remix-run/multipart-parser')
    for await (const part of parseMultipartRequest(request, limits)) assert.notEqual(read(part), undefined)
  }
}

/** Each makes `(request) => Promise`. @type {Record<string, (folder: string) => Function>} */
const forms = {
  'the stream alone, discarded': () => (request) => discard(request.body),
  memory: () => readWith('memory'),
  'a store that discards': () => readWith(({ stream }) => discard(stream)),
  'a slow store': () => readWith(discardSlowly),
  'multipart.disk': (folder) => readWith(multipart.disk(folder)),
  'a store that never reads': () => readWith(() => new Promise(() => {})),
  'part by part': () => async (request) => {
    for await (const { stream } of multipart(options).parts(request)) if (stream !== undefined) await discard(stream)
  },
  '@remix-run/multipart-parser': () => byRemix((part) => part.isFile ? part.bytes : part.text),
  '@remix-run/multipart-parser, unread': () => byRemix((part) => part.size),
  'formData()': () => async (request) => { await request.formData() }
}

function requestWith (body) {
  let at = 0
  const stream = new ReadableStream({
    pull (controller) {
      if (at === body.length) controller.close()
      else controller.enqueue(new Uint8Array(body.buffer, body.byteOffset + at, Math.min(CHUNK, body.length - at)))
      at = Math.min(at + CHUNK, body.length)
    }
  }, { highWaterMark: 0 })
  const headers = { 'content-type': typeWith(BOUNDARY) }
  return new Request('http://localhost/', { method: 'POST', headers, body: stream, duplex: 'half' })
}

exports.serve = (way, folder) => forms[way](folder)

exports.measure = (form, way) => {
  const take = forms[way]()
  const { body } = bodies[form]
  return lowestCpu(() => take(requestWith(body)), PARTLY)
}
