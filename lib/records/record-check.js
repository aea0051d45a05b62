'use strict'

// Option `schema` of records.

const { unwrap } = require('../answers/validate')
const { isThenable } = require('../core/hand-out')
const { RecordError } = require('./record-error')
const SchemaFault = require('./schema-fault')

/**
 * A schema that answers at once is not awaited: a client decides how many
 * records there are, and promises for each take longer than small records do.
 *
 * @param {boolean} isCheap whether errors are to have no stack
 * @returns {(value: unknown) => unknown} the new value of a record, or a promise of it; throws, or is rejected with, a
 *   422 for what the schema refuses, and a SchemaFault for what the schema throws
 */
module.exports = function createRecordCheck (schema, isCheap) {
  const standard = schema['~standard']
  const open = isCheap ? (result) => unwrap(result, createRecordError) : (result) => unwrap(result)
  return (value) => isThenable(value) ? Promise.resolve(value).then(check) : check(value)

  function check (value) {
    let result
    let isLate
    try {
      result = standard.validate(value)
      isLate = isThenable(result)
    } catch (error) {
      throw new SchemaFault(error)
    }
    return isLate ? Promise.resolve(result).then(open, tellFault) : open(result)
  }
}

function tellFault (error) {
  throw new SchemaFault(error)
}

const createRecordError = (status, message, { issues, type }) =>
  new RecordError(status, type, () => message, { issues })
