'use strict'

const assert = require('node:assert/strict')
const { describe, it } = require('mocha')
const { compareProfiles, functionsOf, profileNote, profileRows } = require('../../../perf/profile')
const { sum } = require('../../../tools/statistics')

const JSON_JS = 'file:///tmp/x/node_modules/body-parser/lib/json.js'

const nodeOf = (id, functionName, url, lineNumber, hitCount) => {
  return { id, callFrame: { functionName, url, lineNumber }, hitCount }
}

const NODES = [
  nodeOf(1, '(root)', '', -1, 0),
  nodeOf(2, 'json', JSON_JS, 9, 20),
  nodeOf(3, 'json', JSON_JS, 9, 10),
  nodeOf(4, '', 'C:\\x\\node_modules\\@scope\\qs\\index.js', 0, 10),
  nodeOf(5, 'read', 'node:internal/streams/readable', 99, 5),
  nodeOf(6, 'writev', '', -1, 5),
  nodeOf(7, '(garbage collector)', '', -1, 0),
  nodeOf(8, '(idle)', '', -1, 2),
  nodeOf(9, 'respond', '/tmp/perf/app.js', 4, 10)
]
const samples = NODES.flatMap(({ id, hitCount }) => Array(hitCount).fill(id))
const PROFILE = { nodes: NODES, samples, timeDeltas: samples.map(() => 100) }
// 60 of 62 samples are of JavaScript, 100 us each but for the last; the main thread was awake for longer.
const FIGURES = { profile: PROFILE, cpu: 50, main: 40, awake: 5950 * 40 / 32 }

/** Rounds of a target in which function `slow` takes so much, and the others vary a little. */
const roundsOf = (slow, shift) => Array.from({ length: 5 }, (_, i) => {
  const wobble = ((i * 7 + shift) % 5 - 2) / 20
  const functions = {
    slow: { label: 'x: slow (a.js:1)', value: slow + wobble / 2 },
    writev: { label: 'writev (native)', value: 10 + wobble },
    same: { label: 'x: same (a.js:2)', value: 1 }
  }
  return { cpu: 11 + slow, unit: 'us', functions }
})

const compare = (slow) => {
  const trials = (cpu) => [{ cpu }]
  return compareProfiles(
    { trials: trials(12), profile: { rounds: roundsOf(1, 0), again: roundsOf(1, 2) } },
    { trials: trials(10 + slow), profile: { rounds: roundsOf(slow, 4) } }
  )
}

describe('perf/profile', () => {
  it('adds up what a request takes by package and function, to what the meter says', () => {
    const functions = functionsOf(FIGURES)
    const values = Object.fromEntries(Object.values(functions).map(({ label, value }) => [label, value.toFixed(2)]))
    assert.deepEqual(values, {
      'body-parser: json (lib/json.js:10)': '16.00',
      '@scope/qs: (anonymous) (index.js:1)': '5.33',
      'node: read (internal/streams/readable:100)': '2.67',
      'writev (native)': '2.67',
      'app: respond (app.js:5)': '5.33',
      '(native code: libuv, parsing of requests)': '8.00',
      '(other threads: garbage collection, compilers, the profiler)': '10.00'
    })
    assert.ok(Math.abs(sum(Object.values(functions).map(({ value }) => value)) - 50) < 1e-9)
  })

  it('puts the function that takes more first, and says which differences are noise', () => {
    const profile = compare(3)
    assert.deepEqual(profile.rows.map(({ name, isNoise }) => [name, isNoise]),
      [['x: slow (a.js:1)', false], ['writev (native)', true], ['x: same (a.js:2)', true]])
    const [first] = profile.rows
    assert.ok(Math.abs(first.difference - 2) < 0.1)
    const [, [slow, others]] = profileRows(profile, 1)
    assert.deepEqual(slow, ['x: slow (a.js:1)', '1.00', '3.00', '+2.00', ''])
    assert.equal(others[0], '2 others')
    assert.match(profileNote(profile), /a request takes \+0\.0 % \(A\) and \+7\.7 % \(B\)$/)
  })

  it('names nothing of a target beside itself', () => {
    assert.ok(compare(1).rows.every(({ isNoise }) => isNoise))
  })
})
