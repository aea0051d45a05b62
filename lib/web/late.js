'use strict'

// Bodies that take longer than most to arrive: one timer, for all of them, tells each to listen for its client.

const { setTimeout } = require('../core/platform')

const PERIOD = 250 // ms

/**
 * Intentionally module-level. Not a Set, whose former tables keep what has left
 * it through collections of garbage: that takes Deno longer than a small request.
 *
 * @type {(import('./interruption') | null)[]}
 */
const waiting = []
const enteredIn = [] // the period in which each began to wait
const freePlaces = [] // indices of `waiting`
let period = 0
let isTimed = false // whether the timer runs

/**
 * @param {import('./interruption')} interruption is to listen after one or two periods
 * @returns {number} for `leave`
 */
function enter (interruption) {
  const place = freePlaces.length > 0 ? freePlaces.pop() : waiting.length
  waiting[place] = interruption
  enteredIn[place] = period
  if (!isTimed) start()
  return place
}

/** @param {number} place */
function leave (place) {
  waiting[place] = null
  freePlaces.push(place)
}

function start () {
  isTimed = true
  setTimeout(tell, PERIOD)?.unref?.()
}

function tell () {
  isTimed = false
  if (freePlaces.length < waiting.length) start()
  period++
  for (const [place, interruption] of waiting.entries()) if (enteredIn[place] <= period - 2) interruption?.listen()
}

module.exports = { enter, leave }
