'use strict'

const { FAULT, Grammar } = require('./grammar')
const SliceParser = require('./parser')
const PrototypePoisoning = require('./prototype-poisoning')
const { PrecedingText, SyntaxFault, errorOf } = require('./syntax-error')
const { piecesOf } = require('./utf8')

/**
 * Parses a whole text in time slices.
 *
 * @param {Buffer[] | import('./utf8').TextChunks} chunks without byte order mark
 * @param {import('./scheduler')} task that is running
 * @param {object} [options] those of SliceParser and of PrototypePoisoning
 * @returns {Promise<any>} the value that JSON.parse returns
 * @throws {SyntaxError} the error that JSON.parse throws, or one for a poisoned key
 * @throws {Error} what `options.tooDeep` creates, or the reason for which the
 *   task is cancelled
 */
async function parseChunks (chunks, task, options = {}) {
  const poisoning = new PrototypePoisoning(options)
  const value = await build(chunks, task, { ...options, inspect: poisoning.inspect })
  await poisoning.clean(value, task)
  return value
}

async function build (chunks, task, options) {
  const parser = new SliceParser(options)
  const pieces = piecesOf(chunks)
  let needsMore = true
  for (;;) {
    await task.pause()
    try {
      if (needsMore) {
        const { done, value } = pieces.next()
        if (done) return parser.end()
        parser.append(value)
      }
      needsMore = parser.step()
    } catch (error) {
      if (!(error instanceof SyntaxError)) throw error
      throw await toEngineError(error, chunks, task)
    }
  }
}

/**
 * The grammar finds the first byte that is wrong, and JSON.parse is asked about what is around it.
 *
 * @param {SyntaxError} error thrown by the parser
 * @param {Buffer[] | import('./utf8').TextChunks} chunks the whole text
 * @param {import('./scheduler')} task
 * @returns {Promise<SyntaxError>} the error that JSON.parse throws for the text
 */
async function toEngineError (error, chunks, task) {
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

module.exports = parseChunks
