'use strict'

// Bodies that are awaited for longer than most: one timer for all.

const { setTimeout } = require('../core/platform')

const PERIOD = 250 // ms

/**
 * Intentionally module-level. Not a Set, whose former tables keep what has left
 * it through collections of garbage: that takes Deno longer than a small request.
 *
 * @type {(import('./interruption') | null)[]}
 */
const places = []
const begins = [] // the period of each
const free = [] // indices of places
let period = 0
let isTimed = false // whether the timer runs

/**
 * @param {import('./interruption')} interruption is to listen after one or two periods
 * @returns {number} for `leave`
 */
function enter (interruption) {
  const place = free.length > 0 ? free.pop() : places.length
  places[place] = interruption
  begins[place] = period
  if (!isTimed) start()
  return place
}

/** @param {number} place */
function leave (place) {
  places[place] = null
  free.push(place)
}

function start () {
  isTimed = true
  setTimeout(tell, PERIOD)?.unref?.()
}

function tell () {
  isTimed = false
  if (free.length < places.length) start()
  period++
  for (const [place, interruption] of places.entries()) if (begins[place] <= period - 2) interruption?.listen()
}

module.exports = { enter, leave }
