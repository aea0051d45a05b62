'use strict'

/** Takes the memory of a chunk, as `postMessage` does. Node.js refuses that of its pool, which small ones are in. */
function transfer ({ buffer }) {
  try {
    structuredClone(buffer, { transfer: [buffer] })
  } catch {}
}

/** Sends each chunk of a file on with its memory, as to a worker; gives what it had. */
module.exports = async function transferAll (file) {
  const chunks = []
  for await (const chunk of file) {
    chunks.push(Buffer.from(chunk))
    transfer(chunk)
  }
  return Buffer.concat(chunks)
}
