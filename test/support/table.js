'use strict'

// Runs tables of rows: each row over real HTTP, replayed for several ways its
// body can arrive, and each time held against body-parser 2.4.0. That is asked
// once with the body written together with the header, and once with it cut.

const assert = require('node:assert/strict')
const oracle = require('body-parser')
const subject = require('../..')
const { messageOf } = require('../../tools/http-message')
const { arrivals } = require('./arrival')
const exchange = require('./exchange')
const { typed } = require('./outcome')

/**
 * @typedef {object} Row
 * @property {string} it what the row shows
 * @property {string} [parser] factory to call; or `make`
 * @property {object} [options] for the factory
 * @property {(bodyParser: object) => Function} [make] makes the middleware
 * @property {string} [method]
 * @property {Record<string, string>} [headers]
 * @property {string | Buffer} [body] undefined: the request has none
 * @property {boolean} [chunked] send the body in transfer coding
 * @property {object} [expect] `body`, or `error` with some of its fields
 * @property {string[]} [arrivals] only these ways
 * @property {boolean} [cut] break the connection after the body
 * @property {string[]} [ignore] fields of the outcome in which we differ
 * @property {boolean} [dependsOnCuts] body-parser's outcome depends on where the body is cut
 */

/** Where the environment is what is tested, not how bodies arrive: commas between. */
const ONLY = process.env.ARRIVALS?.split(',')

const FEW = 3 // rows that are too few to meet all ways in turns

/** @param {Row[]} rows */
function table (rows) {
  const counts = {}
  const areFew = rows.filter(({ arrivals }) => arrivals === undefined).length < FEW
  for (const row of rows) {
    const ways = arrivals(Buffer.from(row.body ?? ''))
    const chosen = row.arrivals ?? ONLY ?? (areFew ? undefined : chooseWays(Object.keys(ways), counts))
    it(row.it, () => replay(row, Object.entries(ways).filter(([way]) => chosen?.includes(way) ?? true)))
  }
}

/** The body in one piece and in the most pieces, and the one of the other ways that rows before have met least. */
function chooseWays (ways, counts) {
  const always = ['together', ways.includes('bytes') ? 'bytes' : 'random']
  const others = ways.filter((way) => !always.includes(way))
  const [next] = others.sort((one, other) => (counts[one] ?? 0) - (counts[other] ?? 0))
  if (next === undefined) return always
  counts[next] = (counts[next] ?? 0) + 1
  return [...always, next]
}

async function replay (row, ways) {
  const [parser, other] = [subject, oracle].map(makeOf(row))
  const theirs = {}
  for (const [way, pieces] of ways) {
    const message = messageOf(row.body === undefined ? row : { ...row, pieces })
    const ours = await exchange(parser, message)
    check(ours, row.expect, way)
    const kind = row.dependsOnCuts ? way : way === 'together'
    theirs[kind] ??= await exchange(other, message)
    const ignored = [...(row.ignore ?? []), ...accidental(row)]
    assert.deepEqual(without(ignored, ours), without(ignored, theirs[kind]),
      `differs from body-parser, body arriving: ${way}`)
  }
}

/** What depends on how fast zlib's thread is. */
function accidental ({ headers = {} }) {
  return headers['Content-Encoding'] === undefined ? [] : ['complete', 'ended']
}

function without (names, outcome) {
  const rest = { ...outcome }
  for (const name of names) delete rest[name]
  return rest
}

function makeOf ({ make, parser, options }) {
  return make ?? ((bodyParser) => bodyParser[parser](options))
}

function check (seen, expected, way) {
  const where = `body arriving: ${way}`
  assert.equal(seen.hangs, undefined, `hangs, ${where}`)
  assert.equal(seen.next, 1, `next is called once, ${where}`)
  if (expected === undefined) return
  if ('error' in expected) {
    for (const [name, value] of Object.entries(expected.error)) {
      const actual = seen.error.own?.[name]?.value ?? typed(seen.error[name])
      assert.deepEqual(actual, typed(value), `error.${name}, ${where}`)
    }
  } else {
    assert.equal(seen.error, 'none', where)
    assert.deepEqual(seen.body, typed(expected.body), where)
  }
}

module.exports = { table }
