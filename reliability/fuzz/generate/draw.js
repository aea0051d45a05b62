'use strict'

// How cases are drawn. In each of these functions, a list stands for one of its values, and any other value for itself.

const fc = require('fast-check')
const mapValues = require('../../../tools/map-values')

/** @returns {fc.Arbitrary<any>} */
function anyOf (value) {
  if (Array.isArray(value)) return fc.constantFrom(...value)
  return value instanceof fc.Arbitrary ? value : fc.constant(value)
}

/** The usual value most of the time, `odds` times for one unusual; shrinks towards it. */
function mostly (usual, unusual, odds = 4) {
  return oneOf([odds, anyOf([usual])], [1, unusual])
}

/** @param {...[number, unknown]} choices weight and what it is of; shrinks towards the first */
function oneOf (...choices) {
  const weighted = choices.map(([weight, choice]) => ({ weight, arbitrary: anyOf(choice) }))
  return fc.oneof({ withCrossShrink: true }, ...weighted)
}

const record = (fields) => fc.record(mapValues(fields, anyOf))

/** Some of these options, each left out `odds` times for once that it is given. */
const sparse = (fields, odds) => fc.record(mapValues(fields, (field) => mostly(undefined, field, odds)))

const int = (min, max) => fc.integer({ min, max })

const upTo = (maxLength, item, minLength = 0) => fc.array(anyOf(item), { minLength, maxLength })

/** @returns {fc.Arbitrary<any[]>} one of each */
const each = (...parts) => fc.tuple(...parts.map(anyOf))

/** A text of these parts, which may be lists of texts. */
const joined = (...parts) => each(...parts).map((texts) => texts.flat().join(''))

/** One of the units, up to about so many KiB. */
function large (kibs, units, off = 40) {
  return each(kibs, int(-off, off), units)
    .map(([kib, off, unit]) => unit.repeat(Math.floor((kib * 1024 + off) / Buffer.byteLength(unit))))
}

module.exports = { anyOf, each, int, joined, large, mostly, oneOf, record, sparse, upTo }
