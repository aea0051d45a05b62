'use strict'

// Where a SliceParser has found that a text is not JSON, the grammar finds the
// first byte that is wrong, and JSON.parse is asked about what is around it.

const { BYTES_BEHIND, createFault, errorOf } = require('./fault')
const { FAULT, Grammar } = require('./grammar')
const { PrecedingText } = require('./preceding-text')
const { piecesOf } = require('./utf8')

/**
 * @param {SyntaxError} error thrown by the parser
 * @param {Buffer[] | import('./text-chunks')} chunks the whole text
 * @param {import('./scheduler')} task
 * @returns {Promise<SyntaxError>} the error that JSON.parse throws for the text
 */
module.exports = async function toEngineError (error, chunks, task) {
  const grammar = new Grammar(Infinity)
  const preceding = new PrecedingText()
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true })
  let behind = null // bytes from the fault on
  for (const piece of piecesOf(chunks)) {
    if (behind !== null) {
      behind = Buffer.concat([behind, piece])
    } else {
      await task.pause()
      const at = grammar.read(piece, 0, piece.length)
      preceding.add(decoder.decode(piece.subarray(0, at), { stream: true }))
      if (grammar.event === FAULT) behind = piece.subarray(at)
    }
    if (behind?.length >= BYTES_BEHIND) break
  }
  preceding.add(decoder.decode()) // of a character that is cut off
  // The bytes of a lone surrogate do not tell its index. It is rare, so JSON.parse gets the whole text.
  if (chunks.isWellFormed === false) return errorOf(chunks.text) ?? error
  return createFault(grammar, preceding, String(behind ?? '')) ?? error
}
