'use strict'

// Drives a SliceParser through a text, in turns.

const explain = require('./message')
const { PIECE, Refusal, SliceParser } = require('./parser')

/**
 * @param {Iterable<Buffer>} chunks UTF-8, no byte order mark; asked for once
 *   more if it is not JSON
 * @param {import('./turns')} turns
 * @param {ConstructorParameters<typeof SliceParser>[0]} [options]
 * @returns {Promise<any>} what JSON.parse makes of it
 * @throws {SyntaxError} as of JSON.parse
 */
async function parse (chunks, turns, options) {
  const parser = new SliceParser(options)
  try {
    for (const chunk of chunks) {
      for (let at = 0; at < chunk.length; at += PIECE) {
        if (turns.isOver) await turns.next()
        parser.write(chunk, at, Math.min(at + PIECE, chunk.length))
      }
    }
    return parser.end()
  } catch (error) {
    if (error instanceof Refusal) throw error.reason
    throw error instanceof SyntaxError ? await explain(parser, chunks, turns) : error
  }
}

module.exports = parse
