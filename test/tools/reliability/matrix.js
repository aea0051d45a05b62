'use strict'

const assert = require('node:assert/strict')
const { spawnSync } = require('node:child_process')
const path = require('node:path')
const { allCells, reduce } = require('../../../reliability/matrix/request/cells')
const judge = require('../../../reliability/matrix/request/judge')
const { createRandom } = require('../../../tools/random')

const COMMAND = path.join(__dirname, '../../../reliability/matrix')

function matrix (...args) {
  return spawnSync(process.execPath, [COMMAND, ...args], { encoding: 'utf8' })
}

describe('npm run matrix', function () {
  this.timeout(60_000)

  const INJECTED = [
    ['twice', 'HTTP/1: refused before reading: nothing amid', /next is called 2 times/],
    ['never', 'HTTP/1: parse, asynchronous: socket.destroy() amid', /next is called 0 times/],
    ['aborted', 'HTTP/1: identity: req.destroy() amid', /next is called within req\.destroy\(\)/],
    ['uncaught', 'HTTP/1: identity: req.destroy() amid', /uncaught: Error: injected/],
    ['budget', 'HTTP/1: identity, chunked, guarded: req.destroy() amid', /N bytes or requests are left in the budget/],
    ['outcome', 'HTTP/1: invalid JSON: nothing amid', /calls: \["no body"\], body-parser \["400 entity\.parse\.failed"\]/]
  ]
  for (const [fault, filter, message] of INJECTED) {
    it(`finds the injected fault "${fault}"`, () => {
      const { status, stdout } = matrix(`--inject-fault=${fault}`, `--filter=${filter}`)
      assert.match(stdout, message)
      assert.equal(status, 1)
    })
  }
})

describe('the reduced matrix', () => {
  const cells = allCells()

  it('has every pair of a lane, a step and an act that the matrix has', () => {
    const pairs = (cells) => new Set(cells.flatMap(({ lane, step, act }) => [`${lane}/${step}`, `${lane}/${act}`, `${step}/${act}`]))
    for (const seed of [1, 2]) {
      const reduced = reduce(cells, createRandom(seed))
      assert.equal(pairs(reduced).size, pairs(cells).size)
      assert.ok(reduced.length < cells.length / 10)
    }
  })

  it('is the same for the same seed', () => {
    assert.deepEqual(reduce(cells, createRandom(3)), reduce(cells, createRandom(3)))
  })
})

describe('the verdict of a cell', () => {
  const cell = { lane: 'identity', step: 'amid the body', act: 'req.destroy()', http: 1 }
  const right = { calls: ['400 request.aborted'], isEarly: true, within: [], answer: 'none', uncaught: [], faults: [], held: 0, timers: 0, listeners: [] }

  it('names each fault', () => {
    assert.deepEqual(judge(cell, right, right), [])
    for (const [wrong, message] of [
      [{ calls: [] }, 'next is called 0 times'],
      [{ calls: ['a', 'b'] }, 'next is called 2 times, a, b'],
      [{ within: ["'aborted' of req"] }, "next is called within 'aborted' of req"],
      [{ uncaught: ['ERR_X', 'OF_THE_ACT'] }, 'uncaught: ERR_X'],
      [{ faults: ['a response in next throws ERR_X'] }, 'a response in next throws ERR_X'],
      [{ held: 5 }, '5 bytes or requests are left in the budget'],
      [{ timers: 1 }, '1 timers are left'],
      [{ listeners: ["onData for 'data' of req"] }, "listeners are left: onData for 'data' of req"]
    ]) assert.deepEqual(judge(cell, { ...right, ...wrong }, null), [message])
  })

  it('compares with body-parser, unless that is at fault itself', () => {
    const other = { ...right, answer: '413 entity.too.large' }
    assert.deepEqual(judge(cell, right, other), ['answer: "none", body-parser "413 entity.too.large"'])
    assert.deepEqual(judge(cell, right, { ...other, calls: [] }), [])
    assert.deepEqual(judge({ ...cell, lane: 'stream gzip' }, right, other), [], 'an allowed difference')
  })

  it("does not count what the act throws as the parser's fault, nor a response after an act in next", () => {
    assert.deepEqual(judge(cell, { ...right, uncaught: ['OF_THE_ACT'] }, null), [])
    assert.deepEqual(judge({ ...cell, step: 'in next' }, { ...right, faults: ['a response in next throws ERR_X'] }, null), [])
  })
})
