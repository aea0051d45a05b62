'use strict'

// How often something happens.

const fc = require('fast-check')

/**
 * The usual value most of the time; shrinks towards it.
 *
 * @template T
 * @param {T} usual
 * @param {fc.Arbitrary<T>} unusual
 * @param {number} [odds=4] how many usual ones there are for one unusual
 */
function mostly (usual, unusual, odds = 4) {
  return oneOf([odds, fc.constant(usual)], [1, unusual])
}

/** @param {...[number, fc.Arbitrary<any>]} choices weight and what it is of; shrinks towards the first */
function oneOf (...choices) {
  return fc.oneof({ withCrossShrink: true }, ...choices.map(([weight, arbitrary]) => ({ weight, arbitrary })))
}

/**
 * Some of these options.
 *
 * @param {Record<string, fc.Arbitrary<unknown>>} fields
 * @param {number} [odds=4] how often each is left out for once that it is given
 */
function sparse (fields, odds = 4) {
  return fc.record(Object.fromEntries(
    Object.entries(fields).map(([name, arbitrary]) => [name, mostly(undefined, arbitrary, odds)])
  ))
}

module.exports = { mostly, oneOf, sparse }
