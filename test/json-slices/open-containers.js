'use strict'

const assert = require('node:assert/strict')
const isSame = require('../support/same')
const OpenContainers = require('../../lib/json-slices/open-containers')
const within = require('../support/within')

const range = (from, to) => Array.from({ length: to - from }, (_, index) => from + index)

function build (act) {
  const containers = new OpenContainers()
  act(containers)
  return containers.result()
}

/** An array whose children come in runs of these lengths, and its value. */
function arrayOfRuns (lengths) {
  let count = 0
  const value = build((containers) => {
    containers.open(true, null)
    for (const length of lengths) {
      if (length === 'one') containers.add(count++)
      else containers.addRun(range(count, count += length))
    }
    containers.close()
  })
  return { value, expected: range(0, count) }
}

describe('slices: OpenContainers', () => {
  it('has one value at depth 0', () => {
    for (const value of [0, null, 'a', [1]]) assert.equal(build((containers) => containers.add(value)), value)
  })

  it('knows its depth, and whether the innermost container is an object, and is empty', () => {
    const containers = new OpenContainers()
    const states = []
    const note = () => states.push([containers.depth, containers.inObject, containers.isEmpty])
    note()
    containers.open(false, null)
    note()
    containers.open(true, 'a')
    note()
    containers.addRun([1])
    note()
    containers.close()
    note()
    containers.open(true, 'b')
    containers.add(2)
    note()
    containers.close()
    containers.close()
    note()
    assert.deepEqual(states,
      [[0, false, true], [1, true, true], [2, false, true], [2, false, false], [1, true, false], [2, false, false],
        [0, false, false]])
    assert.deepEqual(containers.result(), { a: [1], b: [2] })
  })

  it('closes empty arrays and objects', () => {
    const value = build((containers) => {
      containers.open(true, null)
      for (const isArray of [true, false, true]) {
        containers.open(isArray, null)
        containers.close()
      }
      containers.close()
    })
    assert.ok(isSame(value, [[], {}, []]))
  })

  it('adds values, runs and containers to an object in their order', () => {
    const value = build((containers) => {
      containers.open(false, null)
      containers.addRun({ a: 1, b: 2 })
      containers.open(false, 'c')
      containers.close()
      containers.addRun({ d: 4, a: 5 })
      containers.setName('e')
      containers.add(6)
      containers.addRun({ f: 7 })
      containers.close()
    })
    assert.ok(isSame(value, { a: 5, b: 2, c: {}, d: 4, e: 6, f: 7 }))
  })

  it('uses the first run itself, so that nothing is copied', () => {
    for (const run of [[1, 2], { a: 1 }]) {
      assert.equal(build((containers) => {
        containers.open(Array.isArray(run), null)
        containers.addRun(run)
        containers.close()
      }), run)
    }
  })

  const sequences = [
    [[1]], [[64, 64]], [[65]], [[65, 65]], [[64, 65]], [[65, 64]], [[64, 65, 64, 65, 1]],
    [[100, 1, 1, 100, 1, 'one', 100]], [['one', 'one', 65, 'one', 'one']], [['one', 65]], [[1, 65, 64, 64]],
    [Array(9999).fill(65)], [Array(10_000).fill(65)], [Array(10_001).fill(65)], [Array(20_001).fill(65)]
  ]
  for (const [lengths] of sequences) {
    it(`joins an array of ${lengths.length > 20 ? `${lengths.length} runs` : `runs of ${lengths.join(', ')}`}`, () => {
      const { value, expected } = arrayOfRuns(lengths)
      assert.deepEqual(value, expected)
    })
  }

  it('does not spread children that are arrays', () => {
    const value = build((containers) => {
      containers.open(true, null)
      containers.addRun([[1, 2]])
      containers.addRun(Array.from({ length: 65 }, () => [3]))
      containers.add([4, 5])
      containers.close()
    })
    assert.deepEqual(value, [[1, 2], ...Array.from({ length: 65 }, () => [3]), [4, 5]])
  })

  it('passes at most 10,000 arguments to a call', () => {
    const { concat } = Array.prototype
    const counts = []
    const counting = function (...args) {
      counts.push(args.length)
      return concat.apply(this, args)
    }
    within(Array.prototype, { concat: counting }, () => arrayOfRuns(Array(20_001).fill(65)))
    assert.deepEqual(counts, [10_000, 10_000, 1, 3])
  })

  describe('sets the properties of an object as JSON.parse does', () => {
    it('if their names are those of properties of Object.prototype', () => {
      const value = build((containers) => {
        containers.open(false, null)
        for (const name of ['__proto__', 'toString', 'constructor']) {
          containers.setName(name)
          containers.add([1])
        }
        containers.addRun(JSON.parse('{"__proto__":[2],"valueOf":3}'))
        containers.close()
      })
      assert.ok(isSame(value, JSON.parse('{"__proto__":[2],"toString":[1],"constructor":[1],"valueOf":3}')))
    })
  })
})

describe('slices: containers that nest', () => {
  const depthOf = (value) => {
    let depth = 0
    for (let inner = value; inner !== undefined; inner = inner[0]) depth++
    return depth
  }

  it('are as many as were opened', () => {
    for (const depth of [1, 2, 50_000]) {
      const value = build((containers) => {
        for (let level = 0; level < depth; level++) containers.open(true, null)
        for (let level = 0; level < depth; level++) containers.close()
      })
      assert.equal(depthOf(value), depth)
    }
  })
})
