'use strict'

// Option `schema` of records.

const { messageOf, refusal } = require('../answers/validate')
const { isThenable } = require('../core/checks')
const errors = require('../core/errors')
const { RecordError } = require('./record-error')

/** Changes a parser that is being composed. */
module.exports = function checkRecords (parser, { onError, schema }) {
  return { ...parser, validate: createRecordCheck(schema, onError === 'collect') }
}

/**
 * A client decides how many records there are, and how many of them are wrong. So a schema that answers at once is not
 * awaited, and no error is thrown for what it refuses: either takes longer than a small record.
 *
 * @template Result
 * @param {boolean} isCheap whether errors are to have no stack
 * @returns {(accept: (value: unknown) => Result, refuse: (error: unknown) => Result) =>
 *   (value: unknown) => Result | Promise<Result>} makes a function that gives the new value of a record to `accept`, or
 *   to `refuse` a 422 for what the schema refuses; it throws what the schema throws
 */
function createRecordCheck (schema, isCheap) {
  const standard = schema['~standard']
  const createError = isCheap ? cheapRefusal : refusal
  return (accept, refuse) => {
    return (value) => onceKnown(value, check, refuse)

    function check (value) {
      let result
      try {
        result = standard.validate(value)
      } catch (error) {
        fail(error)
      }
      return onceKnown(result, open, fail)
    }

    function open ({ issues, value }) {
      return issues ? refuse(createError(issues)) : onceKnown(value, accept, fail)
    }
  }
}

/** Goes on at once with what is not a promise of the app's. */
function onceKnown (value, onFulfilled, onRejected) {
  return isThenable(value) ? Promise.resolve(value).then(onFulfilled, onRejected) : onFulfilled(value)
}

/** Ends the loop, also with `onError: 'collect'`: this is not an error of the record. */
function fail (error) {
  throw errors.thrown(error)
}

const cheapRefusal = (issues) => new RecordError(422, 'entity.invalid', () => messageOf(issues), { issues })
