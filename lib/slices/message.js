'use strict'

// The message that JSON.parse has for a text in which a SliceParser found a
// fault. JSON.parse is asked about what is left from there on, behind a stub
// that stands for all that has been parsed; then what the message says of
// places is put right.

const absentFrom = require('../absent')
const restate = require('../restate')
const { decode } = require('./utf8')

const CONTEXT = 10 // characters before a fault, and behind it, that V8 quotes
const WHOLE = 2 * CONTEXT + 1 // it quotes shorter texts whole
const MARGIN = 64 // bytes; more than these take

/**
 * @param {SyntaxError} error what was thrown
 * @param {import('./parser').SliceParser} parser by which
 * @param {object} chunks the whole text
 * @param {import('./turns')} turns
 * @returns {Promise<SyntaxError>}
 */
async function explain (error, parser, chunks, turns) {
  const good = parser.origin + parser.start
  const from = good < MARGIN ? 0 : good // a short beginning needs no stub
  const text = [...decode(chunks, from, parser.origin + parser.bytes.length + MARGIN)].join('')
  const stub = from === 0 ? '' : stubFor(parser, absentFrom(text.slice(0, WHOLE)).repeat(WHOLE))
  try {
    JSON.parse(stub + text)
    return error
  } catch ({ message }) {
    const before = new Survey(message.includes('(line '))
    for (const piece of decode(chunks, 0, from)) {
      if (turns.isOver) await turns.next()
      before.add(piece)
    }
    return restate(error, correct(message, stub, text, before))
  }
}

/** After it, JSON.parse is in the state of the parser. */
function stubFor ({ spine, longString, isClosed }, filler) {
  const isRoot = spine.depth === 0
  const opening = isRoot ? '' : spine.hasNames ? '{"":' : '['
  if (longString !== null) return `${opening}"${filler}`
  if (isClosed) return `${opening}"${filler}"`
  if (isRoot) return ' '.repeat(WHOLE)
  return spine.isFirst ? `["${filler}",${spine.hasNames ? '{' : '['}` : `${opening}"${filler}",`
}

const LF = 0x0A
const CR = 0x0D

/** What is to be known of the text before. */
class Survey {
  /** @param {boolean} countsLines some engines tell them */
  constructor (countsLines) {
    this.countsLines = countsLines
    this.length = 0
    this.tail = ''
    this.line = 1
    this.lineStart = 0
  }

  add (text) {
    if (this.countsLines) this.countLines(text)
    this.length += text.length
    this.tail = (this.tail + text).slice(-CONTEXT)
  }

  /** CR, LF, or both. */
  countLines (text) {
    let last = this.tail.charCodeAt(this.tail.length - 1)
    for (let i = 0; i < text.length; i++) {
      const code = text.charCodeAt(i)
      if (code === LF || code === CR) {
        if (code === CR || last !== CR) this.line++
        this.lineStart = this.length + i + 1
      }
      last = code
    }
  }
}

function correct (message, stub, text, before) {
  return correctContext(correctPosition(message, stub, text, before), stub, text, before)
}

/** "at position 9", or "at position 9 (line 2 column 3)" since Node 22. */
function correctPosition (message, stub, text, before) {
  return message.replace(/at position (\d+)( \(line \d+ column \d+\))?/, (match, place, hasLine) => {
    const index = Number(place) - stub.length
    const position = before.length + index
    if (hasLine === undefined) return `at position ${position}`
    before.add(text.slice(0, index))
    return `at position ${position} (line ${before.line} column ${position - before.lineStart + 1})`
  })
}

/** What is quoted, as `..."context"`, may begin in the stub. */
function correctContext (message, stub, text, { tail }) {
  for (let count = CONTEXT; count > 0; count--) {
    const behind = text.slice(0, 2 * CONTEXT - count)
    const quoted = `..."${stub.slice(-count)}${behind}`
    if (message.includes(quoted)) return message.replace(quoted, () => `..."${tail.slice(-count)}${behind}`)
  }
  return message
}

module.exports = explain
