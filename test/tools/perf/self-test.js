'use strict'

const assert = require('node:assert/strict')
const { describe, it } = require('mocha')
const { Readable } = require('node:stream')
const { burner, burning } = require('../../../perf/self-test/burning')
const calibrate = require('../../../perf/self-test/calibration')
const { atOnce, perTurn } = require('../../../perf/self-test/planted')
const { createRandom } = require('../../../tools/random')

describe('perf/self-test/burning', () => {
  it('burns no less time than it says', () => {
    const burn = burner(200_000)
    for (let i = 0; i < 20; i++) {
      const began = performance.now()
      burn()
      assert.ok(performance.now() - began >= 0.2)
    }
  })

  it('burns once per request, in any number of parsers', () => {
    const original = Object.fromEntries(['json', 'raw', 'text', 'urlencoded']
      .map((name) => [name, () => (req, res, next) => next()]))
    let burnt = 0
    const costly = burning(original, () => { burnt++ })
    const stack = Object.values(costly).map((create) => create())
    const run = (req, at = 0) => at < stack.length && stack[at](req, {}, () => run(req, at + 1))
    for (const req of [{}, {}, {}]) run(req)
    assert.equal(burnt, 3)
  })
})

describe('perf/self-test/planted', () => {
  for (const plant of [atOnce, perTurn]) {
    it(`${plant.name} parses a body`, (done) => {
      const req = Readable.from([Buffer.from('{"last":'), Buffer.from('"x"}')])
      plant(10).json()(req, {}, () => {
        assert.deepEqual(req.body, { last: 'x' })
        done()
      })
    })
  }
})

describe('perf/self-test/calibration', () => {
  it('tells what differs between runs from what differs between rounds', () => {
    for (const [between, within] of [[0.03, 0.005], [0, 0.03]]) {
      const [found] = calibrate({ scenarios: [{ name: 'x', verdict: { decision: 'inconclusive' }, runs: madeUpRuns(200, between, within) }] }, { alpha: 0.05 })
      assert.ok(Math.abs(found.betweenRuns - 100 * between) < 0.7, `${found.betweenRuns}`)
      assert.ok(Math.abs(found.roundSpread - 100 * within) < 0.3, `${found.roundSpread}`)
    }
  })

  it('finds smaller differences in more runs', () => {
    const [few, many] = [4, 40].map((count) => calibrate({ scenarios: [{ name: 'x', verdict: {}, runs: madeUpRuns(count, 0.02, 0.01) }] }, { alpha: 0.05 })[0].smallestDifference)
    assert.ok(many < few / 2, `${few} and ${many}`)
  })
})

function madeUpRuns (count, between, within) {
  const random = createRandom(count)
  const normal = () => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random())
  return Array.from({ length: count }, () => {
    const own = normal() * between
    const rounds = Array.from({ length: 3 }, () => Math.exp(own + normal() * within))
    return { rounds, ratio: Math.exp(rounds.reduce((sum, round) => sum + Math.log(round), 0) / 3) }
  })
}
