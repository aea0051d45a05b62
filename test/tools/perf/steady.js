'use strict'

const assert = require('node:assert/strict')
const { describe, it } = require('mocha')
const { agreeing, isLevel, steadySince, trendP } = require('../../../perf/statistics/steady')
const { createRandom } = require('../../../tools/random')

const SERIES = 300 // per rate that is stated
const LIMIT = 240 // windows, of 50 ms: what --warmup allows by default
const NEAR = 0.05 // of the final level

// Made-up CPU time per request, window by window, with the noise that servers
// have: 3 to 10 %, and a garbage collection in one window of 20.
describe('perf/statistics/steady', function () {
  this.timeout(60_000) // ms; simulations

  for (const noise of [0.03, 0.06, 0.1]) {
    const percent = noise * 100

    it(`calls plain noise of ${percent} % steady within 6 s, in 97 of 100 servers`, () => {
      const { declared } = warmUps(() => () => 1, noise, 120)
      assert.ok(declared > 0.97, `${declared}`)
    })

    it(`calls a server steady while V8 still makes it faster in fewer than 3 of 100, with noise of ${percent} %`, () => {
      const { declared, tooEarly } = warmUps(decay(3, 15, 5), noise)
      assert.ok(declared > 0.99, `${declared} were steady in time`)
      assert.ok(tooEarly < 0.03, `${tooEarly} too early`)
    })

    it(`is not taken in by a slow decay, with noise of ${percent} %`, () => {
      const { tooEarly } = warmUps(decay(15, 40, 1.5), noise)
      assert.ok(tooEarly < 0.03, `${tooEarly} too early`)
    })

    it(`waits for steps of 10 to 100 % in the first 4.5 s, but for 5 of 100, with noise of ${percent} %`, () => {
      const { declared, tooEarly } = warmUps(steps, noise)
      assert.ok(declared > 0.97, `${declared} were steady in time`)
      assert.ok(tooEarly < 0.05, `${tooEarly} too early`)
    })
  }

  it('does not call a server steady whose cost rises by 0.4 % per window', () => {
    assert.ok(warmUps(() => (i) => 1 + 0.004 * i, 0.06).declared < 0.05)
  })

  it('says from when on a server was steady', () => {
    const random = createRandom(1)
    const values = Array.from({ length: 100 }, (_, i) => (i < 30 ? 2 : 1) * noisy(random, 0.03))
    const since = steadySince(values)
    assert.equal(since, 40)
    assert.equal(steadySince(values.slice(0, 60)), null)
  })

  for (const [what, change, least, most] of [
    ['leaves out fewer than 3 of 100 blocks that are plain noise', () => 1, 0, 0.03],
    ['leaves out 9 of 10 blocks whose cost rises by 20 %', (i) => 1 + 0.2 * i / 20, 0.9, 1],
    ['leaves out 4 of 5 blocks that a deoptimisation makes 20 % slower halfway', (i) => i < 10 ? 1 : 1.2, 0.8, 1]
  ]) {
    it(`${what}, with noise of 4 %`, () => {
      const random = createRandom(7)
      const left = count(() => !isLevel(Array.from({ length: 20 }, (_, i) => change(i) * noisy(random, 0.04))))
      assert.ok(left >= least && left <= most, `${left}`)
    })
  }

  it('leaves out a round that lies more than 10 % from the others', () => {
    assert.deepEqual(agreeing([0.2, 0.21, 0.35]), [true, true, false])
    assert.deepEqual(agreeing([0.2, 0.35]), [true, true]) // which one is it?
  })

  it('has the p of the Mann-Kendall test', () => {
    assert.ok(Math.abs(trendP([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]) - 8.3e-5) < 1e-5) // S = 45, z = 3.935
    assert.equal(trendP([1, 1, 1, 1, 1, 1, 1, 1]), 1)
  })
})

/** A fast fall from up to `1 + most` times the level. */
function decay (shortest, longest, most) {
  return (random) => {
    const time = shortest + random() * (longest - shortest)
    const height = most * (0.2 + 0.8 * random())
    return (i) => 1 + height * Math.exp(-i / time)
  }
}

/** Three compilations that take effect at once. */
function steps (random) {
  const all = [[10, 20, 1, 1], [20, 40, 0.3, 0.3], [30, 60, 0.1, 0.15]].map(([first, within, least, more]) =>
    ({ at: first + random() * within, height: least + random() * more }))
  return (i) => all.reduce((level, { at, height }) => i < at ? level + height : level, 1)
}

/** How many servers are called steady in time, and how many are not, and yet are called so? */
function warmUps (draw, noise, limit = LIMIT) {
  const random = createRandom(Math.round(noise * 1000))
  let tooEarly = 0
  const declared = count(() => {
    const curve = draw(random)
    const values = []
    while (values.length < limit) {
      for (let i = 0; i < 5; i++) values.push(curve(values.length) * noisy(random, noise))
      if (steadySince(values) === null) continue
      if (Math.abs(curve(values.length) / curve(1e6) - 1) > NEAR) tooEarly++
      return true
    }
    return false
  })
  return { declared, tooEarly: tooEarly / SERIES }
}

function count (happens) {
  let times = 0
  for (let i = 0; i < SERIES; i++) if (happens()) times++
  return times / SERIES
}

function noisy (random, noise) {
  const normal = Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random())
  return Math.exp(normal * noise) * (random() < 0.05 ? 1 + random() : 1)
}
