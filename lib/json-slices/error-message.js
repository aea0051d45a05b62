'use strict'

// Where a SliceParser has found that a text is not JSON, the grammar finds the
// first byte that is wrong, and JSON.parse is asked about what is around it.

const { FAULT, Grammar } = require('./grammar')
const { PrecedingText, SyntaxFault, errorOf } = require('./syntax-error')
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
  const fault = new SyntaxFault(grammar, preceding)
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true })
  for (const piece of piecesOf(chunks)) {
    let at = 0
    if (grammar.event !== FAULT) {
      await task.pause()
      at = grammar.read(piece, 0, piece.length)
      preceding.add(decoder.decode(piece.subarray(0, at), { stream: true }))
    }
    fault.write(piece.subarray(at))
    if (fault.isWhole) break
  }
  preceding.add(decoder.decode()) // of a character that is cut off
  // The bytes of a lone surrogate do not tell its index. It is rare, so JSON.parse gets the whole text.
  if (chunks.isWellFormed === false) return errorOf(chunks.text) ?? error
  return fault.toError((bytes) => decoder.decode(bytes)) ?? error
}
