'use strict'

const errors = require('../core/errors')
const findDecoder = require('./inflate')
const Source = require('./source')

/**
 * Gives the content of a Request, its coding undone, to `add`. After an error,
 * reads off the rest up to `drainLimit`.
 *
 * @param {import('./interruption')} interruption
 * @param {(chunk: Uint8Array) => void | Promise<void>} add the next chunk waits for it
 */
async function readContent (request, { drainLimit, inflate, limit }, interruption, add) {
  const { body, bodyUsed, headers } = request
  if (bodyUsed || body.locked) throw errors.notReadable()
  const coding = (headers.get('content-encoding') || 'identity').toLowerCase()
  if (coding !== 'identity' && !inflate) throw errors.codingRefused(coding)
  const decode = coding === 'identity' ? copy : findDecoder(coding)
  const declared = parseInt(headers.get('content-length'), 10)
  const length = coding === 'identity' && declared >= 0 ? declared : null
  const source = new Source(request, interruption)
  interruption.length = length
  let decoded = 0 // bytes
  try {
    if (length !== null && length > limit) throw errors.declaredTooLarge(length, limit)
    await decode(source, (chunk) => {
      decoded += chunk.length
      if (decoded > limit) throw errors.receivedTooLarge(decoded, limit)
      return interruption.wait(add(chunk))
    })
    if (length !== null && length !== interruption.received) throw errors.lengthMismatch(length, interruption.received)
  } finally {
    await source.discard(drainLimit, declared) // after an error, and after the end of a coded body
    source.close()
  }
}

async function copy (source, add) {
  for (let chunk; (chunk = await source.read()) !== null;) await add(chunk)
}

/** @returns {Promise<Uint8Array>} the whole content */
async function readBytes (request, settings, interruption) {
  let memory = new Uint8Array(4096) // grows; a list of chunks would take much more, if they are small
  let length = 0
  await readContent(request, settings, interruption, (chunk) => {
    const end = length + chunk.length
    if (end > memory.length) {
      const full = memory
      memory = new Uint8Array(end * 2)
      memory.set(full)
    }
    memory.set(chunk, length)
    length = end
  })
  return memory.slice(0, length)
}

module.exports = { readBytes, readContent }
