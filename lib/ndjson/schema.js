'use strict'

const createValidate = require('../answers/validate')
const SchemaFault = require('./schema-fault')

/** Option `schema` of ndjson: checks each record. Changes a parser that is being composed. */
module.exports = function extendParser (parser, { schema }) {
  const standard = schema['~standard']
  const validate = createValidate({ '~standard': { validate: tellFaults } })
  return { ...parser, isAsync: true, parse: async (text) => validate(await parser.parse(text)) }

  async function tellFaults (record) {
    try {
      return await standard.validate(record)
    } catch (error) {
      throw new SchemaFault(error)
    }
  }
}
