'use strict'

// The parsers under test, loaded so that their timers are known.

const { AsyncLocalStorage } = require('node:async_hooks')

/** The exchange in whose context code runs; a holder, as a connection is there before its request. */
const context = new AsyncLocalStorage()

/** @type {Map<object, object | undefined>} timer of ours -> the exchange that it belongs to */
const timers = new Map()

const { clearTimeout, setTimeout } = globalThis

const LONG = 1000 // ms

/** How many times faster than the clock long timers run while an app has its time: a cell would wait for seconds. */
const PACE = 10

function trackedTimeout (callback, ms, ...args) {
  const exchange = context.getStore()?.exchange
  const isOfRequest = exchange && !exchange.lane.isGiven
  const timer = setTimeout(() => {
    timers.delete(timer)
    callback(...args)
  }, ms >= LONG && !isOfRequest ? ms / PACE : ms)
  timers.set(timer, exchange)
  return timer
}

function clearTracked (timer) {
  timers.delete(timer)
  clearTimeout(timer)
}

/** lib/ keeps the timer functions that exist when it is loaded. */
Object.assign(globalThis, { setTimeout: trackedTimeout, clearTimeout: clearTracked })
const parsers = {
  middleware: require('fast-body-parser'),
  uploads: { multer: (options) => require('fast-body-parser/multer')(options).any() },
  web: require('fast-body-parser/web')
}
parsers.uploads.multer() // loads all of it now
Object.assign(globalThis, { setTimeout, clearTimeout })

const oracle = { middleware: require('body-parser') }

/** @returns {number} timers of this exchange that keep the process alive */
function timersOf (exchange) {
  return [...timers].filter(([timer, owner]) => owner === exchange && timer.hasRef()).length
}

module.exports = { context, oracle, parsers, timersOf }
