'use strict'

// Bodies that take longer than most to arrive: one timer, for all of them, tells each to listen for its client.

const { setTimeout } = require('../core/platform')

const PERIOD = 250 // ms

/**
 * Intentionally module-level: what listens after the next period, and after the one behind it. Null for what waits no
 * longer. Not Sets, whose former tables keep what has left them through collections of garbage: that takes Deno longer
 * than a small request.
 *
 * @type {(import('./interruption') | null)[]}
 */
let next = []
let afterNext = []
let isTimed = false // whether the timer runs

/**
 * @param {import('./interruption')} interruption is to listen after one or two periods
 * @returns {() => void} if it has not listened yet, it is not to listen any more
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
