// A process for one parser and one form: worker.mjs PARSER FORM prints us of CPU time for a Request whose body comes in
// chunks, after the code is warm.

import { createRequire } from 'node:module'
import process from 'node:process'
import { parseMultipartRequest } from '@remix-run/multipart-parser'

const [parser, form] = process.argv.slice(2)
const require = createRequire(import.meta.url)
const { BOUNDARY, KB, MB, bodies, typeWith } = require('../multipart/bodies')
const { multipart } = require('../../lib/web/index.js')

const LIMIT = 64 * MB
const CHUNK = 64 * KB
const WARM = 1000 // ms
const TIME = 1500 // ms
const { body } = bodies[form]
const headers = { 'content-type': typeWith(BOUNDARY) }

async function discard (file) {
  let size = 0
  for await (const chunk of file.stream) size += chunk.length
  return size
}

/** Each holds the form, or gives its file to a store that discards it. */
const parsers = {
  ours: multipart({ limit: LIMIT }),
  'ours, store': multipart({ limit: LIMIT, store: discard }),
  async '@remix-run/multipart-parser' (request) {
    const parts = {}
    for await (const part of parseMultipartRequest(request, { maxFileSize: LIMIT, maxTotalSize: LIMIT })) {
      parts[part.name] = part.isFile ? part.bytes : part.text
    }
    return parts
  },
  'formData()': (request) => request.formData()
}

function requestOf () {
  let at = 0
  const stream = new ReadableStream({
    pull (controller) {
      if (at === body.length) controller.close()
      else controller.enqueue(new Uint8Array(body.buffer, body.byteOffset + at, Math.min(CHUNK, body.length - at)))
      at = Math.min(at + CHUNK, body.length)
    }
  }, { highWaterMark: 0 })
  return new Request('http://localhost/', { method: 'POST', headers, body: stream, duplex: 'half' })
}

async function run (time) {
  const begin = process.cpuUsage()
  const end = performance.now() + time
  let done = 0
  do {
    await parsers[parser](requestOf())
    done++
  } while (performance.now() < end)
  const { user, system } = process.cpuUsage(begin)
  return (user + system) / done
}

await run(WARM)
console.log(await run(TIME))
process.exit()
