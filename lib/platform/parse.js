'use strict'

const Reader = require('./reader')
const revive = require('./revive')

/**
 * @param {string} text
 * @param {Function} [reviver]
 * @returns {unknown} what JSON.parse returns in an engine that does not confuse keys
 * @throws {SyntaxError} that of JSON.parse for this text
 * @throws what the reviver throws
 */
function parse (text, reviver) {
  if (typeof reviver !== 'function') return read(text, false).value
  return revive(read(text, true), reviver)
}

function read (text, keepsSources) {
  try {
    return new Reader(text, keepsSources).read()
  } catch (error) {
    JSON.parse(text) // throws the error with the right message
    throw error
  }
}

module.exports = parse
