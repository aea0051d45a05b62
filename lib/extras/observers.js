'use strict'

// Options `budget`, `timeout` and `minRate`: observers of each exchange.

const { Budget } = require('./budget')
const Deadline = require('./deadline')
const { readBytes } = require('../core/options')

/**
 * An observer is told of the bytes that an exchange holds, which it may refuse
 * by an error, or, as a number below 0, holds no more; of those that it drains
 * after an error; when the content is complete, or is discarded after an error;
 * and when `next` is called.
 *
 * @typedef {{ held: (bytes: number) => Error | null, drained: (bytes: number) => void, completed: () => void, discarded: () => void, ended: () => void }} Observer
 *
 * @param {object} options
 * @returns {((exchange: import('../core/exchange')) => Observer) | null} null if there is nothing to observe
 * @throws {TypeError} for an option that is wrong
 */
module.exports = function createObserve (options) {
  const budget = readBudget(options)
  const timeout = readTimeout(options)
  const minRate = readMinRate(options)
  const hasDeadline = timeout !== Infinity || minRate !== 0
  const deadline = (exchange) => new Deadline(exchange, timeout, minRate)
  if (budget === null) return hasDeadline ? deadline : null
  if (!hasDeadline) return (exchange) => budget.observe(exchange, false)
  return (exchange) => both(budget.observe(exchange, true), deadline(exchange))
}

function both (first, second) {
  return {
    held (bytes) {
      return first.held(bytes) ?? second.held(bytes)
    },
    drained (bytes) {
      first.drained(bytes)
      second.drained(bytes)
    },
    completed () {
      first.completed()
      second.completed()
    },
    discarded () {
      first.discarded()
      second.discarded()
    },
    ended () {
      first.ended()
      second.ended()
    }
  }
}

function readBudget (options) {
  const budget = options.budget ?? null
  if (budget !== null && !(budget instanceof Budget)) throw new TypeError('option budget must be made by createBudget()')
  return budget
}

/** @returns {number} ms */
function readTimeout (options) {
  const timeout = options.timeout ?? Infinity
  if (typeof timeout !== 'number' || !(timeout > 0)) throw new TypeError('option timeout must be a positive number of milliseconds')
  return timeout
}

/** @returns {number} bytes per second */
function readMinRate (options) {
  const minRate = readBytes('minRate', options.minRate, 0)
  if (!(minRate >= 0) || minRate === Infinity) throw new TypeError('option minRate must be a number of bytes per second')
  return minRate
}

module.exports.readTimeout = readTimeout
