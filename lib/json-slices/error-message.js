'use strict'

// JSON.parse names a position, and the text around it, in its message. Where a
// SliceParser has found that a text is not JSON, JSON.parse is called with the
// unparsed rest of the text behind a short stub, which stands for all that is
// parsed already. Then the position and the quoted text in its message are
// corrected.

const { CONTEXT, PrecedingText, QUOTED_WHOLE, correctPosition } = require('./preceding-text')
const { decode } = require('./utf8')

const FILLER = '\uFFFF'.repeat(QUOTED_WHOLE) // a noncharacter, which Unicode reserves for uses such as this one

/**
 * @param {SyntaxError} error thrown by the parser
 * @param {import('./parser')} parser has the bytes around the fault
 * @param {Buffer[] | import('./text-chunks')} chunks the whole text
 * @param {import('./scheduler')} task
 * @returns {Promise<SyntaxError>} the error that JSON.parse throws for the text
 */
async function toEngineError (error, parser, chunks, task) {
  const { input } = parser
  // The bytes of a lone surrogate do not tell its index. It is rare, so JSON.parse gets the whole text.
  if (chunks.isWellFormed === false) return errorOf(chunks.text) ?? error
  const preceding = new PrecedingText()
  for (const piece of decode(chunks, input.offset + input.start)) {
    await task.pause()
    preceding.add(piece)
  }
  const text = input.textTo(input.bytes.length)
  const stub = preceding.length > QUOTED_WHOLE ? createStub(parser) : preceding.tail
  const engineError = errorOf(stub + text)
  if (engineError === null) return error
  const message = correctQuote(engineError.message, stub, text, preceding.tail)
  return new SyntaxError(correctPosition(message, stub, text, preceding))
}

/** @returns {SyntaxError | null} null only if JSON.parse was replaced by a more lenient function */
function errorOf (text) {
  try {
    JSON.parse(text)
    return null
  } catch (error) {
    return error
  }
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

/** Text is quoted as `..."text"`, and may begin in the stub. */
function correctQuote (message, stub, text, tail) {
  for (let count = CONTEXT; count > 0; count--) {
    const behind = text.slice(0, 2 * CONTEXT - count)
    const quote = `..."${stub.slice(-count)}${behind}`
    if (message.includes(quote)) return message.replace(quote, () => `..."${tail.slice(-count)}${behind}`)
  }
  return message
}

module.exports = toEngineError
