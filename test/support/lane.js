'use strict'

// Sends one body in ways in which a parser may read it: the outcome must be the
// same.

const assert = require('node:assert/strict')
const exchange = require('./exchange')
const { lanesOf } = require('./lanes')
const { typed } = require('./outcome')

const BYTEWISE = 20 // bytes; longer bodies are not sent byte by byte
const TURNS = 5 // bodies that take turns at the ways but the first

/** Way -> message for `exchange`, as entries: the first way, and those of the others whose turn it is. */
function waysInTurn (type, body) {
  const messages = Object.entries(lanesOf({ headers: { 'Content-Type': type }, body }))
  const [first, ...others] = messages.filter(([way, { pieces }]) => !way.endsWith('bytes') || pieces.length < BYTEWISE)
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
