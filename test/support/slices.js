'use strict'

// What tests of lib/json-slices/ share.

const assert = require('node:assert/strict')
const isSame = require('./same')
const { reference } = require('./json-reference')
const within = require('./within')
const parse = require('../../lib/json-slices/parse-chunks')
const SliceParser = require('../../lib/json-slices/parser')

const PIECE_SIZE = 32 * 1024 // bytes that are parsed at a time
const SHORTEST_SLICE = 1e-9 // ms: each step has a slice of its own
const ENDLESS_TASK = { pause: async () => {} }

/** Cuts bytes into chunks of one size. */
function inChunks (source, size) {
  const bytes = Buffer.from(source)
  const chunks = []
  for (let at = 0; at < bytes.length; at += size) chunks.push(bytes.subarray(at, at + size))
  return chunks
}

const upTo = (length) => Array.from({ length }, (_, index) => index + 1)

function outcomeOf (act) {
  try {
    return { value: act() }
  } catch (error) {
    return { error }
  }
}

const settled = (promise) => promise.then((value) => ({ value }), (error) => ({ error }))

/** Parses in one slice without end: only the steps depend on the size of the chunks. */
const outcomeInChunks = (source, size, options) => settled(parse(inChunks(source, size), ENDLESS_TASK, options))

/** The same value, or an error of the same class and message without own properties. */
function assertAgree (ours, theirs, what) {
  if (theirs.error === undefined) {
    if (ours.error !== undefined) throw ours.error
    assert.ok(isSame(ours.value, theirs.value), `${what}: ${JSON.stringify(ours.value)?.slice(0, 500)}`)
    return
  }
  assert.ok('error' in ours, `${what}: parsed`)
  assert.equal(ours.error.constructor, SyntaxError, what)
  assert.equal(ours.error.message, theirs.error.message, what)
  const plain = ['stack', 'message', 'line', 'column', 'sourceURL']
  const own = Object.getOwnPropertyNames(ours.error).filter((name) => !plain.includes(name))
  assert.deepEqual(own, [], what)
}

/** In chunks of each of these sizes, the outcome is that of JSON.parse. */
async function assertLikeJsonParse (source, sizes, options) {
  const theirs = outcomeOf(() => reference(String(source)))
  for (const size of sizes) {
    assertAgree(await outcomeInChunks(source, size, options), theirs,
      `in chunks of ${size}, ${JSON.stringify(options)}`)
  }
}

/** Runs with another JSON.parse. */
function withJsonParse (replacement, act) {
  const { parse } = JSON
  return within(JSON, { parse: (text) => replacement(text, parse) }, act)
}

/**
 * Records each call of `step`: the parser, and what `markOf` returns then; and
 * whether one has failed, or the whole text was parsed. To be stopped.
 */
function spyOnSteps (markOf = () => undefined) {
  const { step, end } = SliceParser.prototype
  const calls = Object.assign([], { isOver: false })
  const watched = (method) => function (...args) {
    try {
      return method.apply(this, args)
    } catch (error) {
      calls.isOver = true
      throw error
    }
  }
  SliceParser.prototype.step = function () {
    calls.push({ parser: this, mark: markOf() })
    return watched(step).call(this)
  }
  SliceParser.prototype.end = function () {
    const value = watched(end).call(this)
    calls.isOver = true
    return value
  }
  calls.stop = () => Object.assign(SliceParser.prototype, { step, end })
  return calls
}

/** Counts the turns of the event loop; to be stopped. */
function countTurns () {
  const turn = { count: 0, stop: () => { isOn = false } }
  let isOn = true
  const next = () => {
    turn.count++
    if (isOn) setImmediate(next)
  }
  setImmediate(next)
  return turn
}

module.exports = {
  ENDLESS_TASK,
  PIECE_SIZE,
  SHORTEST_SLICE,
  assertAgree,
  assertLikeJsonParse,
  countTurns,
  inChunks,
  outcomeInChunks,
  outcomeOf,
  settled,
  spyOnSteps,
  upTo,
  withJsonParse
}
