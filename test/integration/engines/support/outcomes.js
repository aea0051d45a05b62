'use strict'

// What multer and its stand-in make of the same form with an engine of another
// package, and what the engine's service has of it in the end.

const assert = require('node:assert/strict')
const { setTimeout: delay } = require('node:timers/promises')
const { ours, theirs } = require('../../../support/multer-rows')
const { outcomeOf } = require('../../../support/multer-outcome')

const PIECE = 64 * 1024 // bytes
const PATIENCE = 20_000 // ms; the machine may be busy
const LOOK = 10 // ms

/**
 * @typedef {object} Place where an engine stores files; each upload has one of its own
 * @property {string} name which files and errors may show
 * @property {() => Promise<{ files: Record<string, unknown>, open: number }>} list what it has stored, and how much
 *   it still waits for
 */

/** What is stored in the end by an upload that failed. */
const NOTHING = { files: {}, open: 0 }

/**
 * @param {() => Promise<Place>} createPlace
 * @param {{ body: string, make: (multer: Function, place: Place) => Function }} upload and more, as
 *   multer-outcome.js has it
 * @returns {Promise<object>} what that returns, without what is on the disk; and its `place`
 */
async function seenBy (multer, createPlace, { body, make, ...more }) {
  const place = await createPlace()
  const upload = { patience: PATIENCE, ...more, body: piecesOf(body), make: (multer) => make(multer, place) }
  const { left, ...seen } = await outcomeOf(multer, upload)
  return { place, ...JSON.parse(JSON.stringify(seen).replaceAll(place.name, '<place>')) }
}

function piecesOf (body) {
  const bytes = Buffer.from(body, 'latin1')
  return Array.from({ length: Math.ceil(bytes.length / PIECE) }, (_, i) => bytes.subarray(i * PIECE, (i + 1) * PIECE))
}

/** What is stored of an upload, which is to be nothing in the end if it failed. */
async function storedBy ({ error, place }) {
  if (error === undefined) return place.list()
  const deadline = performance.now() + PATIENCE
  while (true) {
    const stored = await place.list()
    if (isEmpty(stored) || performance.now() > deadline) return stored
    await delay(LOOK)
  }
}

const isEmpty = ({ files, open }) => open === 0 && Object.keys(files).length === 0

/** @returns {Promise<[ours: object, theirs: object]>} without waiting for what multer leaves */
async function bothBy (createPlace, upload) {
  const [seen, expected] = await Promise.all([ours, theirs].map((multer) => seenBy(multer, createPlace, upload)))
  return [{ ...seen, stored: await storedBy(seen) }, { ...expected, stored: await expected.place.list() }]
}

/** Asserts that both agree: fully without an error, else about that, and that they leave nothing. */
async function agreedBy (createPlace, upload) {
  const outcomes = await Promise.all([ours, theirs].map((multer) => seenBy(multer, createPlace, upload)))
  const [stored, ...others] = await Promise.all(outcomes.map(storedBy))
  const [seen, expected] = outcomes.map(({ place, status, ...outcome }) => outcome)
  assert.equal(seen.hangs, undefined)
  assert.deepEqual([stored], others)
  if (seen.error === undefined) return assert.deepEqual(seen, expected)
  assert.deepEqual(seen.error, expected.error)
  assert.deepEqual(stored, NOTHING)
}

module.exports = { NOTHING, agreedBy, bothBy }
