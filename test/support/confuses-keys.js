'use strict'

const { createEngineParse } = require('../../lib/json-keys/json')

/**
 * Whether a parse of JSON is repaired, as the engine gives keys with escapes a wrong text.
 *
 * @param {{ createEngineParse: Function }} [json] lib/json-keys/json.js, which asks the engine when it is loaded
 */
module.exports = function confusesKeys (json = { createEngineParse }) {
  const parse = (text) => text
  return json.createEngineParse(parse) !== parse
}
