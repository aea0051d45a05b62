'use strict'

const assert = require('node:assert/strict')
const { execFile } = require('node:child_process')
const fs = require('node:fs')
const os = require('node:os')
const path = require('node:path')
const { promisify } = require('node:util')
const isSameJson = require('../../../bench/slices/is-same-json')
const LoopWatch = require('../../../bench/slices/loop-watch')
const measureShape = require('../../../bench/slices/measure-shape')
const { SHAPES, shape } = require('../../../bench/slices/shapes')
const table = require('../../../bench/slices/table')
const ways = require('../../../bench/slices/ways')

const SCRIPT = require.resolve('../../../bench/slices.js')
const BYTES = 120_000
const SETTINGS = { megabytes: 0.1, rounds: 2, slice: 1, nodeFlags: [] }

describe('the shapes of large bodies', () => {
  for (const name of Object.keys(SHAPES)) {
    it(`include ${name}, which is JSON of the size asked for and the same when parsed in slices`, async () => {
      const text = Array.from(shape(name, BYTES)).join('')
      const bytes = Buffer.from(text)
      assert.ok(bytes.length >= BYTES && bytes.length < BYTES + 10_000, `${bytes.length} bytes`)
      const value = JSON.parse(text)
      assert.ok(isSameJson(ways.whole.parse(bytes), value))
      assert.ok(isSameJson(await ways.slices.parse(bytes, { slice: 1 }), value))
    })
  }

  it('are as large as asked for', () => {
    const sizes = [1e5, 1e6].map((bytes) => Array.from(shape('wrapped', bytes)).join('').length)
    assert.ok(sizes[1] > 9 * sizes[0])
  })
})

describe('the comparison of JSON values', () => {
  for (const [a, b, expected] of [
    ['{"a":[1,{"b":null}]}', '{"a":[1,{"b":null}]}', true],
    ['{"a":1,"b":2}', '{"b":2,"a":1}', false],
    ['[1,2]', '[1,3]', false],
    ['[1]', '[1,2]', false],
    ['[1]', '{"0":1}', false],
    ['[null]', '[{}]', false],
    ['[{}]', '[null]', false],
    ['-0', '0', false],
    ['"1"', '1', false]
  ]) {
    it(`finds ${a} and ${b} ${expected ? 'the same' : 'different'}`, () => assert.equal(isSameJson(JSON.parse(a), JSON.parse(b)), expected))
  }

  it('works at any depth', () => {
    const deep = (inner) => JSON.parse('['.repeat(100_000) + inner + ']'.repeat(100_000))
    assert.ok(isSameJson(deep('1'), deep('1')))
    assert.ok(!isSameJson(deep('1'), deep('2')))
  })
})

describe('the watch of the event loop', () => {
  function watched (turns, collections) {
    const watch = new LoopWatch()
    watch.turns = turns
    watch.collections = collections
    return watch.report()
  }

  it('finds the longest turn, and the part of it that was garbage collection', () => {
    assert.deepEqual(watched([0, 1, 9, 12], [[0.5, 0.75], [7, 10], [10, 10.5]]), {
      hold: 8, gcInHold: 2, gc: 3, gcTime: 3.75, longHolds: 1, work: 6
    })
  })

  it('finds the turn that is longest without its garbage collection', () => {
    const { hold, work } = watched([0, 10, 16], [[0, 9]])
    assert.equal(hold, 10)
    assert.equal(work, 6)
  })

  it('counts the turn in which it is stopped', async () => {
    const watch = new LoopWatch()
    watch.start()
    const end = performance.now() + 30
    while (performance.now() < end);
    await watch.stop()
    const { hold, longHolds } = watch.report()
    assert.ok(hold >= 30, `${hold} ms`)
    assert.ok(longHolds >= 1)
  })

  it('forgets earlier turns when it is started', async () => {
    const watch = new LoopWatch()
    watch.turns = [0, 1e6]
    watch.collections = [[0, 1e6]]
    watch.start()
    await watch.stop()
    const { hold, gc } = watch.report()
    assert.ok(hold < 1e6 && gc < 1e6)
  })
})

describe('node bench/slices.js', function () {
  this.timeout(60_000) // ms; two processes for each way

  it('measures each way in processes of its own', async () => {
    const results = await measureShape('records', ['whole', 'slices'], SETTINGS)
    for (const way of ['whole', 'slices']) {
      const { rounds, memory } = results[way]
      assert.equal(rounds.length, 2)
      for (const { cpu, wall, hold, work } of rounds) assert.ok(cpu > 0 && wall > 0 && hold > 0 && work <= hold)
      assert.ok(memory.peak >= memory.before && memory.before > 1e6)
    }
    const text = table({ records: results })
    assert.match(text, /records, JSON\.parse/)
    assert.match(text, /multiples of JSON\.parse/)
    assert.doesNotMatch(text, /NaN|undefined/)
  })

  it('measures the other ways if one fails', async () => {
    const results = await measureShape('deep', ['slices', 'nothing'], SETTINGS)
    assert.equal(results.slices.rounds.length, 2)
    assert.match(results.nothing.wrong, /undefined/)
    assert.match(table({ deep: results }), /deep, in slices/)
  })

  it('prints a table and writes a file', async () => {
    const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'bench-slices-'))
    try {
      const file = path.join(folder, 'x.json')
      const args = ['--mb=0.1', '--rounds=1', '--shapes=numbers', '--node-flags=--max-semi-space-size=1', `--json=${file}`]
      const { stdout } = await promisify(execFile)(process.execPath, [SCRIPT, ...args])
      assert.match(stdout, /numbers, in slices/)
      const { results, settings, node } = JSON.parse(fs.readFileSync(file, 'utf8'))
      assert.equal(node, process.version)
      assert.deepEqual(settings.nodeFlags, ['--max-semi-space-size=1'])
      assert.equal(results.numbers.slices.rounds.length, 1)
    } finally {
      fs.rmSync(folder, { recursive: true })
    }
  })

  for (const [arg, message] of [
    ['--mb=0', /--mb must be a number from 0\.1 to 400/],
    ['--rounds=1.5', /--rounds must be a whole number/],
    ['--shapes=records,round', /--shapes must be some of records, .*not "round"/],
    ['--node-flags=x', /--node-flags must be flags/],
    ['--json=', /--json must be the name of a file/]
  ]) {
    it(`refuses ${arg} in one line`, async () => {
      await assert.rejects(promisify(execFile)(process.execPath, [SCRIPT, arg]), ({ code, stderr }) => code === 1 && message.test(stderr) && /^error: [^\n]*\n$/.test(stderr))
    })
  }
})
