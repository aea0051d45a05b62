'use strict'

const createValidate = require('../answers/validate')
const { RecordError } = require('./record-error')
const SchemaFault = require('./schema-fault')

/** Option `schema` of records: checks each of them. Changes a parser that is being composed. */
module.exports = function extendParser (parser, { onError, schema }) {
  const standard = schema['~standard']
  const create = onError === 'collect' ? createRecordError : undefined
  const validate = createValidate({ '~standard': { validate: tellFaults } }, create)
  return { ...parser, validate: async (value) => validate(await value) }

  async function tellFaults (record) {
    try {
      return await standard.validate(record)
    } catch (error) {
      throw new SchemaFault(error)
    }
  }
}

const createRecordError = (status, message, { issues, type }) =>
  new RecordError(status, type, () => message, { issues })
