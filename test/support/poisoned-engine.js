'use strict'

// Parses texts in a poisoned engine, in every way of lib/ that calls JSON.parse
// for whole texts or for parts of them.

const { describeJson } = require('../../lib/formats/json/parse')
const { createLines, describeRecords } = require('../../lib/records/ndjson/parse')
const Records = require('../../lib/records/records')
const { extend, readOptions } = require('../../lib/options/read-options')
const parseInSlices = require('../../lib/json-slices/parse-chunks')
const TextChunks = require('../../lib/json-slices/text-chunks')
const { reference } = require('./json-reference')
const isSame = require('./same')
const { randomInt } = require('../../tools/random')

const KEPT = 3000 // poisonous objects: what follows a key is remembered as long as there is one
const ENDLESS_TASK = { pause: async () => {} } // one slice without end

const whole = create({ strict: false })
const revived = create({ reviver: checkSource })
const guarded = create({ depth: 50, onProtoPoisoning: 'remove', onConstructorPoisoning: 'remove' })
const ofRecords = create({}, 'ndjson', describeRecords)

function create (options, name = 'json', describe = describeJson) {
  const settings = readOptions(name, options)
  return extend({ name, settings, ...describe(settings) }, settings, false)
}

/** By name: parses a text; `random` tells how to cut it. */
const WAYS = {
  whole: (text) => whole.parse(text),
  'with a reviver': (text) => revived.parse(text),
  'without poisoned keys': (text) => guarded.parse(text),
  'in ndjson': (text, random) => inRecords(text, random),
  'in slices': (text, random) => inSlices(text, random),
  'in slices, without poisoned keys': (text, random) => inSlices(text, random,
    { onProtoPoisoning: 'remove', onConstructorPoisoning: 'remove' })
}
const NAMES = Object.keys(WAYS)

/** What a reviver is told of a primitive has to be its own source. */
function checkSource (key, value, context) {
  if (context?.source !== undefined && !Object.is(JSON.parse(context.source),
    value)) throw new Error(`source of ${key}: ${context.source}`)
  return value
}

async function inRecords (text, random) {
  if (!text.isWellFormed()) return ofRecords.parse(text) // UTF-8 has no lone surrogates
  const bytes = Buffer.from(`${text.replaceAll('\n', ' ')}\n`)
  const middle = randomInt(bytes.length, random)
  async function * readChunks () {
    yield bytes.subarray(0, middle)
    yield bytes.subarray(middle)
  }
  const decode = (line) => Buffer.from(line).toString()
  const records = new Records(readChunks, createLines({ isSequence: false, decode }, ofRecords), ofRecords)
  return (await records[Symbol.asyncIterator]().next()).value
}

function inSlices (text, random, options) {
  return parseInSlices(chunksOf(text, random), ENDLESS_TASK,
    { ...options, longStringLength: 1 + randomInt(20, random) })
}

function chunksOf (text, random) {
  if (!text.isWellFormed()) return new TextChunks(text) // UTF-8 has no lone surrogates
  const bytes = Buffer.from(text)
  const size = 1 + randomInt(bytes.length, random)
  const list = []
  for (let at = 0; at < bytes.length; at += size) list.push(bytes.subarray(at, at + size))
  return list
}

/**
 * @typedef {object} Verdict
 * @property {boolean} engine JSON.parse was wrong
 * @property {{ way: string, ours: any, truth: any } | null} difference
 *
 * @param {() => number} random
 * @param {(outcome: { value?: any }) => void} [injectFault] changes an outcome
 * @returns {(texts: { text: string, poison: string }) => Promise<Verdict>}
 */
function createJudge (random, injectFault = () => {}) {
  const kept = []
  let judged = 0

  return async function judge ({ text, poison }) {
    kept[judged++ % KEPT] = JSON.parse(poison)
    const truth = reference(text)
    const engine = !isSame(JSON.parse(text), truth)
    for (const way of ['whole', NAMES[judged % NAMES.length]]) {
      const outcome = { value: await WAYS[way](text, random) }
      injectFault(outcome)
      const expected = way.includes('without') ? withoutPoison(reference(text)) : truth
      if (!isSame(outcome.value, expected)) return { engine, difference: { way, ours: outcome.value, truth: expected } }
    }
    return { engine, difference: null }
  }
}

/** The rules of secure-json-parse. */
function withoutPoison (value) {
  if (typeof value !== 'object' || value === null) return value
  delete value.__proto__
  if (Object.hasOwn(value, 'constructor') && typeof value.constructor === 'object' && value.constructor !== null &&
    Object.hasOwn(value.constructor, 'prototype')) delete value.constructor
  for (const key of Object.keys(value)) withoutPoison(value[key])
  return value
}

module.exports = createJudge
