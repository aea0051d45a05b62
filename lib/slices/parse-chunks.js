'use strict'

const toEngineError = require('./error-message')
const SliceParser = require('./parser')
const PrototypePoisoning = require('./prototype-poisoning')
const { PIECE_SIZE } = require('./utf8')

/**
 * Parses a whole text in time slices.
 *
 * @param {import('./buffer-chunks') | import('./text-chunks')} chunks without byte
 *   order mark
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
  const steps = parseInSteps(parser, chunks)
  for (;;) {
    if (task.shouldYield()) await task.yield()
    let step
    try {
      step = steps.next()
    } catch (error) {
      throw error instanceof SyntaxError ? await toEngineError(error, parser, chunks, task) : error
    }
    if (step.done) return step.value
  }
}

function * parseInSteps (parser, chunks) {
  for (const chunk of chunks) {
    for (let at = 0; at < chunk.length; at += PIECE_SIZE) {
      parser.append(chunk, at, Math.min(at + PIECE_SIZE, chunk.length))
      while (!parser.step()) yield
      yield
    }
  }
  return parser.end()
}

module.exports = parseChunks
