'use strict'

// One timer for all bodies that are slow to arrive: when it fires, each begins to listen whether its client leaves.

const { setTimeout } = require('../core/platform')

const PERIOD = 250 // ms

/**
 * Intentionally module-level: what listens after the next period, and after the one behind it; null in the place of
 * what waits no longer. Not Sets: in Deno, what was deleted survives some collections of garbage, in former tables of
 * the Set, and that takes longer than a small request.
 *
 * @type {(import('./interruption') | null)[]}
 */
let next = []
let afterNext = []
let isTimed = false // whether the timer runs

/**
 * @param {import('./interruption')} interruption listens after one or two periods
 * @returns {() => void} keeps it from listening, unless it does already
 */
function listenLater (interruption) {
  const list = afterNext
  const index = list.push(interruption) - 1
  if (!isTimed) start()
  return () => { list[index] = null }
}

function start () {
  isTimed = true
  setTimeout(tell, PERIOD)?.unref?.()
}

function tell () {
  const late = next
  next = afterNext
  afterNext = []
  isTimed = false
  if (next.length > 0) start()
  for (const interruption of late) interruption?.listen()
}

module.exports = listenLater
