'use strict'

// The contract between a loop and what finds the records in the bytes of a body.

/**
 * What finds records and parses them, one after the other: lines, in
 * ./ndjson/line-records.js, or anything else that has an end of its own. It
 * knows nothing of loops, lists, schemas or maxima. `find` and `take` are called
 * in turn; what either throws ends the loop, behind the records before.
 *
 * @typedef {object} RecordFinder
 * @property {(bytes: Uint8Array) => void} write goes on with these: called when `find` has returned false
 * @property {() => void} end there are no more: `find` gives what is left, and throws if the end is missing
 * @property {() => boolean} find goes to the next record; false if more bytes are needed, or all is read
 * @property {() => unknown} take the value of that record, or a promise of it if a reviver has made one; called at
 *   most once for each record, and not for one beyond `max`. Returns INVALID if this record is at fault, as `fault`
 *   says, but later ones may be read
 * @property {import('./record-error').RecordError} fault needed with `onError: 'collect'` only, as is INVALID
 * @property {number} length UTF-16 code units of that record which `find` and `take` have read for it: others are
 *   served after so many of them
 * @property {string | undefined} text of that record, for errors of a schema; undefined if it is not known
 * @property {'line' | 'record'} unit what `number` counts: a property of what a loop gets with `onError: 'collect'`
 * @property {number} number of that record, from 1
 * @property {object} place of that record, for errors: `{ [unit]: number, offset }`, with the bytes before it
 * @property {number} bufferedBytes that `write` got, and that are still in memory
 * @property {(most: number) => unknown[]} [takeParsed] the values of records behind that one which are there already,
 *   as if `find` and `take` were called for each
 */

/** In place of a value: the record is wrong, and the loop goes on. */
const INVALID = Symbol('an invalid record')

module.exports = { INVALID }
