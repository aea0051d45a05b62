'use strict'

// Drives a SliceParser through a text, in turns.

const explain = require('./message')
const { Refusal, SliceParser } = require('./parser')
const PoisonControl = require('./poison')
const { PIECE } = require('./utf8')

/**
 * @param {object} chunks the text: Chunks of UTF-8 without byte order mark, or
 *   Encoded
 * @param {import('./turns')} turns
 * @param {object} [options]
 * @param {number} [options.depth] see SliceParser, also for what is not here
 * @param {'error' | 'remove' | 'ignore'} [options.protoAction='ignore']
 * @param {'error' | 'remove' | 'ignore'} [options.constructorAction='ignore']
 * @returns {Promise<any>} what JSON.parse makes of it
 * @throws {SyntaxError} as of JSON.parse
 */
async function parse (chunks, turns, { protoAction = 'ignore', constructorAction = 'ignore', ...options } = {}) {
  if (protoAction === 'ignore' && constructorAction === 'ignore') return build(chunks, turns, options)
  const control = new PoisonControl(protoAction, constructorAction)
  const value = await build(chunks, turns, { ...options, inspect: control.inspect })
  await control.clean(value, turns)
  return value
}

async function build (chunks, turns, options) {
  const parser = new SliceParser(options)
  const steps = work(parser, chunks)
  for (;;) {
    if (turns.isOver) await turns.next()
    let step
    try {
      step = steps.next()
    } catch (error) {
      if (error instanceof Refusal) throw error.reason
      throw error instanceof SyntaxError ? await explain(error, parser, chunks, turns) : error
    }
    if (step.done) return step.value
  }
}

function * work (parser, chunks) {
  for (const chunk of chunks) {
    for (let at = 0; at < chunk.length; at += PIECE) {
      parser.append(chunk, at, Math.min(at + PIECE, chunk.length))
      while (!parser.step()) yield
      yield
    }
  }
  return parser.end()
}

module.exports = parse
