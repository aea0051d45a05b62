'use strict'

const { preload } = require('../core/lazy')
const { loadSyntaxError } = require('./strict')

/**
 * @param {object} [options] of `json`
 * @param {(text: string) => unknown} [parseText] in place of JSON.parse
 * @returns {(text: string) => unknown} throws the engine's SyntaxError, or what
 *   the reviver throws
 */
function createParse (options, parseText = engineParse(readReviver(options))) {
  preload(loadSyntaxError)
  return (text) => {
    if (text === '') return {}
    try {
      return parseText(text)
    } catch (error) {
      throw loadSyntaxError().withMessage(error, error.message)
    }
  }
}

function engineParse (reviver) {
  return reviver === undefined ? (text) => JSON.parse(text) : (text) => JSON.parse(text, reviver)
}

/** Like JSON.parse, ignores what is not a function. */
function readReviver (options) {
  const reviver = options?.reviver
  return typeof reviver === 'function' ? reviver : undefined
}

module.exports = { createParse, readReviver }
