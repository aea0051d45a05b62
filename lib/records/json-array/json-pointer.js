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

/**
 * @param {string[]} keys that lead to an array
 * @param {number} level how many of them lead to the value, which begins at this byte
 * @param {string} kind of the value, as in "a number"
 */
function wrongKind (keys, level, kind, offset) {
  const subject = level === 0 ? 'the JSON' : `the value at ${quote(keys.slice(0, level))}`
  const wanted = level === keys.length ? 'an array' : `an object with ${quote(keys.slice(level))}`
  return refuse(`${subject} is ${kind}, not ${wanted}`, 'records.not.found', offset)
}

/** JSON.parse would take the last of equal keys, which is not known before the end. */
const secondKey = (keys, level, offset) =>
  refuse(`the JSON has ${quote(keys.slice(0, level))} more than once`, 'records.ambiguous', offset)

const notFound = (keys, offset) => refuse(`the JSON has no ${quote(keys)}`, 'records.not.found', offset)

/**
 * @param {{ level: number, kind?: string }} mistake see ./array-finder.js
 */
function createMistake (keys, mistake, offset) {
  const { kind, level } = mistake
  return kind === undefined ? secondKey(keys, level, offset) : wrongKind(keys, level, kind, offset)
}

module.exports = { createMistake, notFound, readPath }
