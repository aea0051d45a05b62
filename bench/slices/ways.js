'use strict'

// Ways to parse the bytes of a body.

const others = require('../../perf/fairness/parsers')
const parseInSlices = require('../../lib/slices')

const CHUNK = 64 * 1024 // bytes

/** The bytes as a network brings them: one chunk in each turn of the event loop. */
async function * arrive (bytes) {
  for (let at = 0; at < bytes.length; at += CHUNK) {
    yield Buffer.from(bytes.subarray(at, at + CHUNK)) // a copy: each chunk has its own memory
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
