'use strict'

const errors = require('../core/errors')
const findDecoder = require('./inflate')
const Source = require('./source')

/** The content of a Request, its coding undone. After an error, reads off the rest up to `drainLimit`. */
async function readContent (request, { drainLimit, inflate, limit, timeout }) {
  const { body, bodyUsed, headers } = request
  if (bodyUsed || body.locked) throw errors.notReadable()
  const coding = (headers.get('content-encoding') || 'identity').toLowerCase()
  if (coding !== 'identity' && !inflate) throw errors.codingRefused(coding)
  const decode = coding === 'identity' ? copy : findDecoder(coding)
  const declared = parseInt(headers.get('content-length'), 10)
  const length = coding === 'identity' && declared >= 0 ? declared : null
  const source = new Source(request, length, timeout)
  try {
    if (length !== null && length > limit) throw errors.declaredTooLarge(length, limit)
    const content = new Content(limit)
    await decode(source, (chunk) => content.add(chunk))
    if (length !== null && length !== source.received) throw errors.lengthMismatch(length, source.received)
    return content.bytes()
  } finally {
    await source.discard(drainLimit, declared) // after an error, and after the end of a coded body
    source.close()
  }
}

async function copy (source, add) {
  for (let chunk; (chunk = await source.read()) !== null;) add(chunk)
}

/** Grows; a list of chunks would take much more, if they are small. */
class Content {
  constructor (limit) {
    this.limit = limit
    this.length = 0
    this.memory = new Uint8Array(4096)
  }

  add (chunk) {
    const end = this.length + chunk.length
    if (end > this.limit) throw errors.receivedTooLarge(end, this.limit)
    const full = this.memory
    if (end > full.length) (this.memory = new Uint8Array(end * 2)).set(full)
    this.memory.set(chunk, this.length)
    this.length = end
  }

  bytes () {
    return this.memory.slice(0, this.length)
  }
}

module.exports = readContent
