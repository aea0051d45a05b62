'use strict'

// Sends one body in ways in which a parser may read it: the outcome must be the
// same.

const assert = require('node:assert/strict')
const exchange = require('./exchange')
const { lanesOf } = require('./lanes')
const { typed } = require('./outcome')

const BYTEWISE = 20 // bytes; longer bodies are not sent byte by byte
const TURNS = 3 // bodies that take turns at the ways but the first

// Half of the lanes of each arrival but the first: what is sent has every pair of an arrival, a framing and a coding.
// The tests of core/coding/raw-body.js and core/insight/diagnostics.js have all three of them.
const LEFT_OUT = new Set([
  'declared, afterwards', 'declared, random', 'chunked, halves',
  'gzip chunked, afterwards', 'gzip chunked, random', 'gzip declared, halves'
])

/** Way -> message for `exchange`, as entries. */
function everyWay (type, body) {
  const messages = Object.entries(lanesOf({ headers: { 'Content-Type': type }, body }))
  return messages.filter(([way, { pieces }]) =>
    !LEFT_OUT.has(way) && (!way.endsWith('bytes') || pieces.length < BYTEWISE))
}

/** The first way, and those of the others whose turn it is: chunked and coded ones each time. */
function waysInTurn (type, body) {
  const [first, ...others] = everyWay(type, body)
  const turn = (type.length + body.length) % TURNS
  return [first, ...others.filter((way, place) => place % TURNS === turn)]
}

/** The outcome that these ways have in common. */
async function outcomeOfAll (middleware, type, content) {
  let first
  for (const [way, message] of waysInTurn(type, content)) {
    const { hangs, thrown, next, listeners, ...seen } = await exchange(middleware, message)
    assert.deepEqual({ hangs, thrown, next, listeners },
      { hangs: undefined, thrown: undefined, next: 1, listeners: [] }, way)
    const { error, body, hasBody, immediate } = seen
    const outcome = { error, body, hasBody, immediate }
    first ??= outcome
    assert.deepEqual(outcome, first, `differs from the first way: ${way}`)
  }
  return first
}

/** However the body arrives, next gets an error with these fields, and its body is this content. */
async function fails (middleware, type, body, expected, content) {
  const seen = await outcomeOfAll(middleware, type, body)
  for (const [field, value] of Object.entries(expected)) assert.equal(seen.error[field], value, field)
  assert.deepEqual([seen.body, seen.hasBody], ['undefined', true])
  assert.deepEqual(seen.error.own.body.value, typed(content))
}

/** However the body arrives, req.body is this value. */
async function succeeds (middleware, type, body, expected) {
  const seen = await outcomeOfAll(middleware, type, body)
  assert.equal(seen.error, 'none')
  assert.deepEqual(seen.body, typed(expected))
}

module.exports = { fails, outcomeOfAll, succeeds, waysInTurn }
