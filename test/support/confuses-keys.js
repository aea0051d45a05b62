'use strict'

const { createEngineParse } = require('../../lib/json-keys/json')

/** Whether a parse of JSON is repaired, as the engine gives keys with escapes a wrong text: it is asked on loading. */
module.exports = function confusesKeys (json = { createEngineParse }) {
  const parse = (text) => text
  return json.createEngineParse(parse) !== parse
}
