'use strict'

const toEngineError = require('./error-message')
const SliceParser = require('./parser')
const PrototypePoisoning = require('./prototype-poisoning')
const { piecesOf } = require('./utf8')

/**
 * Parses a whole text in time slices.
 *
 * @param {Buffer[] | import('./text-chunks')} chunks without byte order mark
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

module.exports = parseChunks
