'use strict'

// JSON Pointer (RFC 6901), and the errors of a text that does not have what one points to.

const errors = require('../../core/errors')

/**
 * Option `path`.
 *
 * @param {unknown} value a slash before each key; nothing for the text itself
 * @returns {string[]} the keys
 */
function readPath (value) {
  const pointer = value ?? ''
  if (typeof pointer !== 'string' || !/^(?:\/(?:[^/~]|~[01])*)*$/.test(pointer)) {
    throw new TypeError("option path must be a JSON Pointer to the array, such as '/data/items'")
  }
  return pointer.split('/').slice(1).map((key) => key.replaceAll('~1', '/').replaceAll('~0', '~'))
}

/** @returns {string} the pointer of these keys, in quotes */
function quote (keys) {
  return JSON.stringify(keys.map((key) => `/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`).join(''))
}

const refuse = (message, type, offset) => errors.create(400, message, { offset, type })

const notFound = (keys, offset) => refuse(`the JSON has no ${quote(keys)}`, 'records.not.found', offset)

/**
 * @param {string[]} keys that lead to an array
 * @param {{ level: number, kind?: string }} mistake `level`: how many of them lead to a value, which begins at this
 *   byte, and is of this kind, as in "a number"; without a kind, there are several such values, of which JSON.parse
 *   would take the last, which is not known before the end
 */
function createMistake (keys, { kind, level }, offset) {
  const place = quote(keys.slice(0, level))
  if (kind === undefined) return refuse(`the JSON has ${place} more than once`, 'records.ambiguous', offset)
  const subject = level === 0 ? 'the JSON' : `the value at ${place}`
  const wanted = level === keys.length ? 'an array' : `an object with ${quote(keys.slice(level))}`
  return refuse(`${subject} is ${kind}, not ${wanted}`, 'records.not.found', offset)
}

module.exports = { createMistake, notFound, readPath }
