'use strict'

// Option `schema` of records: checks each of them.

const createRecordCheck = require('../records/record-check')

/** Changes a parser that is being composed. */
module.exports = (parser, { onError, schema }) =>
  ({ ...parser, validate: createRecordCheck(schema, onError === 'collect') })
