'use strict'

const assert = require('node:assert')
const { execFile } = require('node:child_process')
const fs = require('node:fs')
const os = require('node:os')
const path = require('node:path')
const { promisify } = require('node:util')
const { readArguments } = require('../../../bench/slices/arguments')
const LoopWatch = require('../../../bench/slices/loop-watch')
const { measureShape } = require('../../../bench/slices/measure')
const same = require('../../../bench/slices/same')
const { SHAPES, shape } = require('../../../bench/slices/shapes')
const table = require('../../../bench/slices/table')
const ways = require('../../../bench/slices/ways')

const BYTES = 120_000
const SETTINGS = { megabytes: 0.1, rounds: 2, slice: 1, nodeFlags: [] }

describe('bench: shapes of large bodies', () => {
  for (const name of Object.keys(SHAPES)) {
    it(`${name} is JSON of about that size, and the same when parsed in slices`, async () => {
      const text = Array.from(shape(name, BYTES)).join('')
      const bytes = Buffer.from(text)
      assert.ok(bytes.length >= BYTES && bytes.length < BYTES + 10_000, `${bytes.length} bytes`)
      const value = JSON.parse(text)
      assert.ok(same(ways.whole.parse(bytes), value))
      assert.ok(same(await ways.slices.parse(bytes, { slice: 1 }), value))
    })
  }

  it('are larger if asked', () => {
    const sizes = [1e5, 1e6].map((bytes) => Array.from(shape('wrapped', bytes)).join('').length)
    assert.ok(sizes[1] > 9 * sizes[0])
  })
})

describe('bench: sameness', () => {
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
    it(`of ${a} and ${b} is ${expected}`, () => assert.strictEqual(same(JSON.parse(a), JSON.parse(b)), expected))
  }

  it('is found however deep it is', () => {
    const deep = (inner) => JSON.parse('['.repeat(100_000) + inner + ']'.repeat(100_000))
    assert.ok(same(deep('1'), deep('1')))
    assert.ok(!same(deep('1'), deep('2')))
  })
})

describe('bench: the watch of the loop', () => {
  function watched (turns, collections) {
    const watch = new LoopWatch()
    watch.turns = turns
    watch.collections = collections
    return watch.report()
  }

  it('finds the longest turn, and what part of it was garbage collection', () => {
    assert.deepStrictEqual(watched([0, 1, 9, 12], [[0.5, 0.75], [7, 10], [10, 10.5]]), {
      hold: 8, gcInHold: 2, gc: 3, gcTime: 3.75, longHolds: 1, work: 6
    })
  })

  it('finds another one that is longest without it', () => {
    const { hold, work } = watched([0, 10, 16], [[0, 9]])
    assert.strictEqual(hold, 10)
    assert.strictEqual(work, 6)
  })

  it('counts what holds the loop up to the end', async () => {
    const watch = new LoopWatch()
    watch.start()
    const end = performance.now() + 30
    while (performance.now() < end);
    await watch.stop()
    const { hold, longHolds } = watch.report()
    assert.ok(hold >= 30, `${hold} ms`)
    assert.ok(longHolds >= 1)
  })

  it('begins afresh', async () => {
    const watch = new LoopWatch()
    watch.turns = [0, 1e6]
    watch.collections = [[0, 1e6]]
    watch.start()
    await watch.stop()
    const { hold, gc } = watch.report()
    assert.ok(hold < 1e6 && gc < 1e6)
  })
})

describe('bench: the cost of slices', function () {
  this.timeout(60_000) // ms; two processes for each way

  it('is measured in processes of their own', async () => {
    const results = await measureShape('records', ['whole', 'slices'], SETTINGS)
    for (const way of ['whole', 'slices']) {
      const { rounds, memory } = results[way]
      assert.strictEqual(rounds.length, 2)
      for (const { cpu, wall, hold, work } of rounds) assert.ok(cpu > 0 && wall > 0 && hold > 0 && work <= hold)
      assert.ok(memory.peak >= memory.before && memory.before > 1e6)
    }
    const text = table({ records: results })
    assert.match(text, /records, JSON\.parse/)
    assert.match(text, /multiples of JSON\.parse/)
    assert.doesNotMatch(text, /NaN|undefined/)
  })

  it('is that of the others if one fails', async () => {
    const results = await measureShape('deep', ['slices', 'nothing'], SETTINGS)
    assert.strictEqual(results.slices.rounds.length, 2)
    assert.match(results.nothing.wrong, /undefined/)
    assert.match(table({ deep: results }), /deep, in slices/)
  })

  it('is printed and written', async () => {
    const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'bench-slices-'))
    try {
      const file = path.join(folder, 'x.json')
      const args = ['--mb=0.1', '--rounds=1', '--shapes=numbers', '--node-flags=--max-semi-space-size=1', `--json=${file}`]
      const { stdout } = await promisify(execFile)(process.execPath, [require.resolve('../../../bench/slices'), ...args])
      assert.match(stdout, /numbers, in slices/)
      const { results, settings, node } = JSON.parse(fs.readFileSync(file, 'utf8'))
      assert.strictEqual(node, process.version)
      assert.deepStrictEqual(settings.nodeFlags, ['--max-semi-space-size=1'])
      assert.strictEqual(results.numbers.slices.rounds.length, 1)
    } finally {
      fs.rmSync(folder, { recursive: true })
    }
  })
})

describe('bench: arguments of the cost of slices', () => {
  it('have defaults', () => {
    const { megabytes, rounds, shapes, ways } = readArguments([])
    assert.deepStrictEqual({ megabytes, rounds, ways }, { megabytes: 10, rounds: 5, ways: ['whole', 'slices'] })
    assert.deepStrictEqual(shapes, Object.keys(SHAPES))
  })

  it('add the others', () => {
    assert.deepStrictEqual(readArguments(['--others']).ways.sort(), Object.keys(ways).sort())
  })

  for (const [arg, message] of [
    ['--mb=0', /--mb=0 is no number from/],
    ['--rounds=1.5', /no whole number/],
    ['--shapes=records,round', /there is no shape "round", but records/],
    ['--node-flags=x', /"x" is no flag/],
    ['--json=', /--json needs the name of a file/]
  ]) it(`refuse ${arg}`, () => assert.throws(() => readArguments([arg]), message))
})
