'use strict'

// Option `schema` of records: checks each of them.

const createRecordCheck = require('../records/record-check')
const { check, read } = require('./schema')

module.exports = {
  read,
  check,
  extend: (parser, { onError, schema }) => ({ ...parser, validate: createRecordCheck(schema, onError === 'collect') })
}
