'use strict'

// Ways to make a value of the bytes of a body.

const others = require('../../perf/fairness/parsers')
const parseInSlices = require('../../lib/slices')

const CHUNK = 64 * 1024 // bytes

/** The bytes as a network brings them: a chunk a turn. */
async function * arrive (bytes) {
  for (let at = 0; at < bytes.length; at += CHUNK) {
    yield Buffer.from(bytes.subarray(at, at + CHUNK)) // each has memory of its own
    await new Promise(setImmediate)
  }
}

/**
 * @typedef {object} Way
 * @property {string} name
 * @property {(bytes: Buffer, settings: { slice: number }) => any} parse value, or a promise
 * @property {() => Promise<void>} [close]
 */

/** @type {Record<string, Way>} */
module.exports = {
  whole: { name: 'JSON.parse', parse: (bytes) => JSON.parse(bytes.toString()) },
  slices: { name: 'in slices', parse: (bytes, { slice }) => parseInSlices(bytes, { slice }) },
  ...Object.fromEntries(Object.entries(others).map(([id, { name, parse, close }]) =>
    [id, { name, parse: (bytes) => parse(arrive(bytes)), close }]))
}
