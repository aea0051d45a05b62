'use strict'

const createValidate = require('../answers/validate')

/** Option `schema` of ndjson: checks each record. Changes a parser that is being composed. */
module.exports = function extendParser (parser, { schema }) {
  const validate = createValidate(schema)
  return { ...parser, isAsync: true, parse: async (text) => validate(await parser.parse(text)) }
}
