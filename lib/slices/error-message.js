'use strict'

// JSON.parse names a position, and the text around it, in its message. Where a
// SliceParser has found that a text is not JSON, JSON.parse is called with the
// unparsed rest of the text behind a short stub, which stands for all that is
// parsed already. Then the position and the quoted text in its message are
// corrected.

const CONTEXT = 10 // characters that V8 quotes before a fault, and behind it
const QUOTED_WHOLE = 2 * CONTEXT + 1 // characters; of longer texts, V8 quotes a part
const MARGIN = 64 // bytes; more than the engine quotes
const FILLER = '\uFFFF'.repeat(QUOTED_WHOLE) // a noncharacter, which Unicode reserves for uses such as this one

/**
 * @param {SyntaxError} error thrown by the parser
 * @param {import('./parser')} parser
 * @param {import('./buffer-chunks') | import('./text-chunks')} chunks the whole text
 * @param {import('./scheduler')} task
 * @returns {Promise<SyntaxError>} the error that JSON.parse throws for the text
 */
async function toEngineError (error, parser, chunks, task) {
  const { offset, start, bytes } = parser.input
  const parsed = offset + start
  const from = parsed < MARGIN ? 0 : parsed // a short beginning needs no stub
  const text = [...chunks.decode(from, offset + bytes.length + MARGIN)].join('')
  const stub = from === 0 ? '' : createStub(parser)
  try {
    JSON.parse(stub + text)
  } catch ({ message }) {
    const preceding = new PrecedingText(message.includes('(line '))
    for (const piece of chunks.decode(0, from)) {
      if (task.shouldYield()) await task.yield()
      preceding.add(piece)
    }
    return new SyntaxError(correct(message, stub, text, preceding))
  }
  return error // possible only if JSON.parse was replaced by a more lenient function
}

/**
 * Text behind which JSON.parse expects what the parser expects. What is quoted of
 * it is a part of FILLER and two characters at most, so that the quote can be
 * found in the message and replaced.
 */
function createStub ({ containers, longString, isAfterChild }) {
  const isOutside = containers.depth === 0
  const opening = isOutside ? '' : containers.inObject ? '{"":' : '['
  if (longString !== null) return `${opening}"${FILLER}`
  if (isAfterChild) return `${opening}"${FILLER}"`
  if (isOutside) return ' '.repeat(QUOTED_WHOLE)
  // In an empty array a comma comes first, too: the parser has dealt with a
  // bracket that closes it, which is all that would not be the same.
  return containers.inObject && containers.isEmpty ? `["${FILLER}",{` : `${opening}"${FILLER}",`
}

const LF = 0x0A
const CR = 0x0D

/** What a message may tell about the text before the one given to JSON.parse. */
class PrecedingText {
  /** @param {boolean} countsLines which takes time: V8 names lines since Node 22 */
  constructor (countsLines) {
    this.countsLines = countsLines
    this.length = 0
    this.tail = '' // the last CONTEXT characters
    this.line = 1 // in which it ends
    this.lineStart = 0 // index of the first character in this line
  }

  add (text) {
    if (this.countsLines) this.countLines(text)
    this.length += text.length
    this.tail = (this.tail + text).slice(-CONTEXT)
  }

  /** A line ends in CR, LF, or CR LF. */
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

function correct (message, stub, text, preceding) {
  return correctQuote(correctPosition(message, stub, text, preceding), stub, text, preceding)
}

/** `at position 9`; since Node 22, `at position 9 (line 2 column 3)`. */
function correctPosition (message, stub, text, preceding) {
  return message.replace(/at position (\d+)( \(line \d+ column \d+\))?/, (match, digits, lineAndColumn) => {
    const index = Number(digits) - stub.length
    const position = preceding.length + index
    if (lineAndColumn === undefined) return `at position ${position}`
    preceding.add(text.slice(0, index))
    return `at position ${position} (line ${preceding.line} column ${position - preceding.lineStart + 1})`
  })
}

/** Text is quoted as `..."text"`, and may begin in the stub. */
function correctQuote (message, stub, text, { tail }) {
  for (let count = CONTEXT; count > 0; count--) {
    const behind = text.slice(0, 2 * CONTEXT - count)
    const quote = `..."${stub.slice(-count)}${behind}`
    if (message.includes(quote)) return message.replace(quote, () => `..."${tail.slice(-count)}${behind}`)
  }
  return message
}

module.exports = toEngineError
