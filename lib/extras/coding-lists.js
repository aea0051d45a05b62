'use strict'

// Option `codingLists`: several content codings, and aliases.

const { pipeline } = require('node:stream')
const errors = require('../core/errors')
const { createStreamLane, findCoding } = require('../core/inflate')

const MAX_CODINGS = 4 // each takes memory of its own
const ALIASES = new Map([['x-gzip', 'gzip']]) // RFC 9110, section 8.4.1.3

/**
 * @param {string} field a Content-Encoding (RFC 9110, section 8.4), which lists
 *   the codings in the order in which they were applied; in lower case
 * @returns {import('../core/inflate').Coding | undefined} undefined if one is
 *   unknown, or if there are too many
 */
module.exports = function findListedCoding (field) {
  const names = field.split(',').map((name) => name.trim()).filter((name) => name !== '')
  if (names.length === 0 || names.length > MAX_CODINGS) return undefined
  const codings = names.map((name) => findCoding(ALIASES.get(name) ?? name))
  if (codings.includes(undefined)) return undefined
  if (codings.length === 1) return codings[0]
  const createDecoders = (limit) => connect(codings.toReversed(), limit)
  return { createDecoders, stream: createStreamLane(createDecoders) }
}

/** Connects decoders, of which none may emit more than the limit. */
function connect (codings, limit) {
  const decoders = codings.map((coding) => coding.createDecoder())
  for (const decoder of decoders.slice(0, -1)) {
    let decoded = 0
    decoder.on('data', (chunk) => {
      decoded += chunk.length
      if (decoded > limit) decoder.destroy(errors.receivedTooLarge(decoded, limit))
    })
  }
  pipeline(decoders, () => {}) // an error of one destroys all, so the last one reports it
  return [decoders[0], decoders.at(-1)]
}
