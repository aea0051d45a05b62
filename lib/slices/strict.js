'use strict'

// The check of `strict` (lib/strict.js), for a text in pieces.

const { opensContainer, rejectToken, skipBlanks } = require('../strict')

const MARGIN = 64 // characters; more than engines quote in a message

/**
 * @param {import('./chunks')} chunks
 * @param {import('./scheduler')} task
 * @returns {Promise<SyntaxError | null>} the error of a text that is neither
 *   array nor object; null if it is
 */
async function violationOf (chunks, task) {
  let text = ''
  for (const piece of chunks.decode()) {
    if (task.shouldYield()) await task.yield()
    text = text.slice(-2 * MARGIN) + piece
    if (skipBlanks(text) < text.length - MARGIN) break
  }
  try {
    if (!opensContainer(text)) rejectToken(text)
    return null
  } catch (error) {
    return error
  }
}

module.exports = violationOf
