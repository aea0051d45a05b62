'use strict'

// The pieces in which a message is written, and the pauses between them.

const fc = require('fast-check')
const { mostly, oneOf } = require('./weigh')

const pause = oneOf([8, fc.constant('delivered')], [4, fc.constantFrom('at once', 'a turn', 'turns')],
  [1, fc.constant('a moment')])
const place = oneOf([3, fc.integer({ min: 0, max: 999 })], [1, fc.constantFrom('head', 'last', 'first')])

/**
 * @typedef {object} Arrival
 * @property {(number | 'head' | 'first' | 'last')[]} cuts thousandths of the
 *   message; or after the header, the first byte of the body, before the last
 * @property {string[]} pauses between the pieces, over and over
 * @property {boolean} bytewise every byte of a short body by itself
 */
const arrival = fc.record({
  cuts: oneOf([3, fc.constant([])], [2, fc.constant(['head'])], [5, fc.array(place, { maxLength: 5 })]),
  pauses: mostly(['delivered'], fc.array(pause, { minLength: 1, maxLength: 3 }), 1),
  bytewise: mostly(false, fc.constant(true), 20)
})

module.exports = { arrival }
