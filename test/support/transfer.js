'use strict'

/** Takes the memory of a chunk, as `postMessage` does. Node.js refuses that of its pool, which small ones are in. */
module.exports = function transfer ({ buffer }) {
  try {
    structuredClone(buffer, { transfer: [buffer] })
  } catch {}
}
