'use strict'

// Undoes content codings: in Node by its zlib, as the middleware does; elsewhere
// by DecompressionStream. In Node, that is made of zlib, but loses messages, and
// versions differ in what may follow the end of a body.

const errors = require('../core/errors')
const { findModule } = require('./node')

const FORMATS = { br: 'brotli', deflate: 'deflate', gzip: 'gzip', zstd: 'zstd' }
const DECODERS = {
  __proto__: null,
  br: (zlib) => zlib.createBrotliDecompress(),
  deflate: (zlib) => zlib.createInflate(),
  gzip: (zlib) => zlib.createGunzip(),
  zstd: (zlib) => require('../coding/zstd-frames').findZstd(zlib)()
}

/**
 * @param {string} coding in lower case
 * @returns {(source: import('./source'), add: (chunk: Uint8Array) => void | Promise<void>) => Promise<void>}
 * @throws {Error} 415 for a coding that the runtime cannot undo
 */
module.exports = function findDecoder (coding) {
  const zlib = findModule('node:zlib')
  let decode = decodeByZlib
  let decoder
  try {
    if (zlib === undefined) {
      decode = decodeByWeb
      decoder = new DecompressionStream(FORMATS[coding])
    } else {
      decoder = DECODERS[coding](zlib) // Node 20 has no zstd
    }
  } catch {
    throw errors.unsupportedCoding(coding, Object.keys(FORMATS))
  }
  return async (source, add) => {
    let fault = null // of `add`, which is passed on as it is
    try {
      await decode(source, decoder, async (chunk) => {
        try {
          await add(chunk)
        } catch (error) {
          fault = { error }
          throw error
        }
      })
    } catch (error) {
      throw fault === null ? errors.unreadable(error) : fault.error
    }
  }
}

async function decodeByZlib (source, decoder, add) {
  let proceed = null // when the decoder takes more, or will not
  decoder.on('drain', () => proceed())
  decoder.on('close', () => proceed?.())
  const fed = feed().catch((error) => decoder.destroy(error))
  try {
    for await (const chunk of decoder) await add(chunk)
  } finally {
    decoder.destroy()
    await fed
  }

  async function feed () {
    for (let chunk; (chunk = await source.read()) !== null && !decoder.destroyed;) {
      if (!decoder.write(chunk)) await new Promise((resolve) => { proceed = resolve })
    }
    decoder.end()
  }
}

async function decodeByWeb (source, { readable, writable }, add) {
  const reader = readable.getReader()
  const writer = writable.getWriter()
  const fed = feed()
  try {
    await Promise.all([fed, collect()])
  } catch (error) {
    reader.cancel().catch(() => {})
    writer.abort().catch(() => {})
    await fed.catch(() => {})
    throw describe(error)
  }

  async function feed () {
    for (let chunk; (chunk = await source.read()) !== null;) await writer.write(chunk)
    await writer.close()
  }

  async function collect () {
    for (let result; !(result = await reader.read()).done;) await add(result.value)
  }
}

/** Node's own error has no message, but a cause. */
function describe (error) {
  return error.message ? error : new TypeError(error.cause?.message || 'corrupt content coding', { cause: error })
}
