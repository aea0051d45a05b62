'use strict'

const rewriteKeys = require('./escaped-keys')
const revive = require('./revive')

/**
 * @param {import('./json').Parse} parse calls JSON.parse
 * @returns {import('./json').Parse} the same with the right keys, in an engine that confuses them
 */
module.exports = function repair (parse) {
  return (text, reviver) => {
    let rewritten = null
    try {
      rewritten = rewriteKeys(text)
    } catch (error) {
      if (error.name !== 'SyntaxError') throw error
    }
    if (rewritten === null) return parse(text, reviver)
    const { text: plain, standIns } = rewritten
    try {
      if (standIns === null) return parse(plain, reviver)
      if (typeof reviver === 'function') return revive(plain, standIns, reviver, parse)
      return standIns.restore(parse(plain))
    } catch (error) {
      JSON.parse(text) // throws the error with the right message and position, if the text is at fault
      throw error
    }
  }
}
