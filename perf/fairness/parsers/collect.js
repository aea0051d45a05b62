'use strict'

/**
 * @param {AsyncIterable<Buffer>} source
 * @returns {Promise<Buffer>} all of it
 */
module.exports = async function collect (source) {
  const chunks = []
  for await (const chunk of source) chunks.push(chunk)
  return Buffer.concat(chunks)
}
