'use strict'

// Option `schema` of records: checks each of them.

const createValidate = require('../answers/validate')
const { RecordError } = require('../records/record-error')
const SchemaFault = require('../records/schema-fault')
const { check, read } = require('./schema')

module.exports = { read, check, extend: validateRecords }

function validateRecords (parser, { onError, schema }) {
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
