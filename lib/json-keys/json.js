'use strict'

// JSON.parse with the keys that the text has. V8 13 and 14, of Node.js 24 and
// 26, may give an object a key of another text, if both keys are written with
// backslashes (nodejs/node#63785). Nothing in this folder needs a file outside it.

/** @typedef {(text: string, reviver?: Function) => unknown} Parse */

const OTHER_KEYS = Array.from({ length: 50 }, (_, index) => `,"${index} more":0`).join('')

/**
 * Whether this engine confuses keys. V8 remembers which key followed which, as
 * long as there are objects with these keys. A random first key keeps the two
 * objects here apart from all others, so that the test changes no key of the app's; and
 * V8 remembers about 1,500 first keys for each number of keys, so the objects have
 * more keys than those of which an app may have many.
 */
function confusesKeys () {
  const first = `${Math.random()}`
  const remembered = JSON.parse(`{"${first}":0,"\\\\":1${OTHER_KEYS}}`)
  const parsed = JSON.parse(`{"${first}":0,"\\u00e9":1${OTHER_KEYS}}`)
  return parsed['\\'] === remembered['\\'] // an access after both, so that it is not collected before
}

/** @type {Parse} */
const parseByEngine = (text, reviver) => JSON.parse(text, reviver)

const isConfused = confusesKeys()

/**
 * @param {Parse} [parse] calls JSON.parse
 * @returns {Parse} the same with the right keys
 */
function createEngineParse (parse = parseByEngine) {
  if (!isConfused) return parse
  const parseEscaped = require('./repair')(parse)
  return (text, reviver) => text.includes('\\') ? parseEscaped(text, reviver) : parse(text, reviver)
}

module.exports = { createEngineParse }
