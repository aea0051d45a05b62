'use strict'

const assert = require('node:assert/strict')
const { spawnSync } = require('node:child_process')
const path = require('node:path')
const { allCells, PAIRS, SAMPLE } = require('../../../reliability/matrix/cells')
const { fields, files } = require('../../../reliability/matrix/content')
const judge = require('../../../reliability/matrix/judge')
const { reduce } = require('../../../reliability/matrix/product')
const { createRandom } = require('../../../tools/random')

const COMMAND = path.join(__dirname, '../../../reliability/matrix')

function matrix (...args) {
  return spawnSync(process.execPath, [COMMAND, ...args], { encoding: 'utf8' })
}

describe('npm run matrix', function () {
  this.timeout(60_000)

  for (const [fault, filter, message] of [
    ['twice', 'HTTP/1: parsing refused before reading: nothing, amid', /next is called 2 times/],
    ['never', 'HTTP/1: parsing parse, asynchronous: socket.destroy(), amid', /next is called 0 times/],
    ['aborted', 'HTTP/1: parsing identity: req.destroy(), amid', /next is called within req\.destroy\(\)/],
    ['uncaught', 'HTTP/1: parsing identity: req.destroy(), amid', /uncaught: Error: injected/],
    ['budget', 'HTTP/1: parsing identity, chunked, guarded: req.destroy(), amid', /left: N bytes or requests/],
    ['uncaught', 'HTTP/1: parsing multer disk: socket.destroy(), amid', /uncaught: Error: injected/],
    ['outcome', 'HTTP/1: parsing multer memory, refused: nothing, amid', /next gets \{"a"/],
    ['outcome', 'HTTP/1: parsing invalid JSON: nothing, amid', /next gets no body/],
    ['content', 'HTTP/1: given verify: return, at once; client whole', /what is read of verify is not what was sent/],
    ['outcome', 'HTTP/2: given memory: read, at once; client RST', /next gets no error, although the body is cut/],
    ['never', 'HTTP/1: given store: nothing, at once; client RST', /next is called 0 times/],
    ['budget', 'HTTP/1: given store, budget: nothing, at once; client RST', /left: N bytes or requests/],
    ['file', 'HTTP/1: given disk: read, at once; client RST', /left: temporary file injected/],
    ['descriptor', 'HTTP/1: given disk: read, at once; client whole', /left: descriptor of injected/]
  ]) {
    it(`finds the injected fault "${fault}" in "${filter}"`, () => {
      const { status, stdout } = matrix(`--inject-fault=${fault}`, `--filter=${filter}`)
      assert.match(stdout, message)
      assert.equal(status, 1)
    })
  }
})

describe('the reduced matrix', () => {
  const cells = allCells()

  it('has no fault', function () {
    this.timeout(480_000) // 20 s on a quiet machine
    const { status, stdout, stderr } = matrix('--reduced')
    assert.equal(status, 0, stdout + stderr)
    assert.match(stdout, /^\d{4} cells in \d+ s, 0 with faults$/m)
  })

  it('has every pair that the matrix has', function () {
    this.timeout(120_000) // 2 s on a quiet machine
    const pairsOf = (cell) => PAIRS.map(([one, other]) => `${one} ${cell[one]}, ${other} ${cell[other]}`)
    const pairs = (cells) => new Set(cells.flatMap(pairsOf))
    const reduced = reduce(cells, PAIRS, createRandom(1))
    assert.equal(pairs(reduced).size, pairs(cells).size)
    assert.ok(reduced.length < cells.length / 10)
  })

  it('has every value of each field in its sample, which is the same for the same seed', () => {
    const sample = reduce(cells, SAMPLE, createRandom(1))
    for (const field of ['lane', 'action', 'step', 'client', 'http']) {
      assert.deepEqual(new Set(sample.map((cell) => cell[field])), new Set(cells.map((cell) => cell[field])), field)
    }
    assert.ok(sample.length < 300)
    assert.deepEqual(reduce(cells, SAMPLE, createRandom(1)), sample)
  })
})

describe('the verdict of a cell of a request', () => {
  const cell = { lane: 'parsing identity', step: 'amid the body', act: 'req.destroy()', http: 1 }
  const call = { error: [{ status: 400, type: 'request.aborted' }], within: [], isEarly: true }
  const right = { acted: 1, calls: [call], answer: 'none', uncaught: [], faults: [], left: [], readers: [] }

  it('names each fault', () => {
    assert.deepEqual(judge(cell, right, right), [])
    for (const [wrong, message] of [
      [{ calls: [] }, 'next is called 0 times'],
      [{ calls: [call, call] }, 'next is called 2 times, 400 request.aborted, 400 request.aborted'],
      [{ calls: [{ ...call, within: ["'aborted' of req"] }] }, "next is called within 'aborted' of req"],
      [{ calls: [{ error: [], within: [], body: { a: '1' } }] }, 'next gets {"a":"1"}'],
      [{ calls: [{ error: [], within: [] }] }, 'next gets no body'],
      [{ calls: [{ error: [new TypeError('no')], within: [] }] }, 'next gets TypeError: no'],
      [{ uncaught: ['ERR_X', 'OF_THE_ACT'] }, 'uncaught: ERR_X'],
      [{ faults: ['a response in next throws ERR_X'] }, 'a response in next throws ERR_X'],
      [{ left: ['1 timers'] }, 'left: 1 timers']
    ]) assert.deepEqual(judge(cell, { ...right, ...wrong }, null), [message])
  })

  it('compares with body-parser, unless that has not met the act, or is at fault itself', () => {
    const other = { ...right, answer: '413 entity.too.large' }
    assert.deepEqual(judge(cell, right, other), ['answer: "none", body-parser "413 entity.too.large"'])
    assert.deepEqual(judge(cell, right, { ...other, calls: [] }), [])
    assert.deepEqual(judge(cell, right, { ...other, acted: 0 }), [])
    assert.deepEqual(judge({ ...cell, lane: 'parsing stream gzip' }, right, other), [], 'an allowed difference')
  })

  it('asks for an error where a lane is one of an error, and nobody acts', () => {
    const quiet = { ...cell, act: 'nothing', lane: 'parsing records' }
    assert.deepEqual(judge(quiet, right, null), ['next gets 400 request.aborted'])
    assert.deepEqual(judge({ ...quiet, lane: 'parsing records, refused' }, right, null), [])
  })

  it("does not count a response after an act in next as the parser's fault", () => {
    const seen = { ...right, faults: ['a response in next throws ERR_X'] }
    assert.deepEqual(judge({ ...cell, step: 'in next' }, seen, null), [])
  })
})

describe('the verdict of what an app does', () => {
  const contents = Object.entries(files)
  const read = contents.map(([label, content]) => ({ label, state: 'read', content, error: null }))
  const failed = contents.map(([label]) => ({ label, state: 'failed', content: null, error: { code: 'ERR_X' } }))
  const right = {
    answer: '200 done',
    calls: [{ error: [], within: [], body: { ...fields } }],
    faults: [],
    handler: null,
    readers: read,
    seen: [],
    uncaught: [],
    left: [],
    end: 'at once'
  }
  const cell = { lane: 'given store', act: 'for await', step: 'at once', client: 'whole' }
  const verdict = (changes, others) => judge({ ...cell, ...others }, { ...right, ...changes })

  it('finds nothing if the app reads what was sent', () => assert.deepEqual(verdict({}), []))

  const [call] = right.calls
  for (const [wrong, ...messages] of [
    [{ uncaught: ['ERR_X'] }, 'uncaught: ERR_X'],
    [{ readers: [{ ...read[0], content: files.large }, ...read] },
      'what is read of small is not what was sent, without an error'],
    [{ readers: read.slice(1) }, 'small cannot be read: '],
    [{ readers: [failed[0], ...read.slice(1)] }, 'small cannot be read: ERR_X'],
    [{ seen: [{ label: 'small', some: Buffer.from('x') }] }, 'the beginning of small is not what was sent'],
    [{ calls: [{ ...call, error: [{ type: 'x' }] }] }, 'fails: x'],
    [{ calls: [{ ...call, body: {} }] }, 'req.body is wrong'],
    [{ answer: 'none' }, 'the client gets no response'],
    [{ left: ['1 timers'] }, 'left: 1 timers'],
    [{ end: 'when the client had left' }, 'settles only when the client had left'],
    [{ end: null, calls: [] }, 'next is called 0 times'],
    [{ end: null, readers: [...read, { label: 'small', state: 'pending' }] }, 'a reader waits for ever']
  ]) it(`names "${messages}"`, () => assert.deepEqual(verdict(wrong), messages))

  it('names a handler that hangs, where there is no next', () => {
    const handler = { state: 'pending', error: null }
    assert.deepEqual(verdict({ calls: [], end: null, handler }, { lane: 'given part' }), ['the handler is never done'])
  })

  it('bounds no client that leaves, and takes no part for the whole', () => {
    const aborted = [{ error: [{ type: 'request.aborted' }], within: [] }]
    assert.deepEqual(
      verdict({ calls: aborted, readers: failed, end: 'when the client had left' }, { client: 'FIN' }), []
    )
    assert.deepEqual(verdict({ readers: failed }, { client: 'RST' }),
      ['next gets no error, although the body is cut'])
  })

  it('asks for the error that an act causes', () =>
    assert.deepEqual(verdict({ readers: [] }, { act: 'throw' }), ['the error of the act is lost']))
})
