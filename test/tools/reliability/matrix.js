'use strict'

const assert = require('node:assert/strict')
const { spawnSync } = require('node:child_process')
const path = require('node:path')
const app = require('../../../reliability/matrix/app/cells')
const judgeApp = require('../../../reliability/matrix/app/judge')
const { fields, files } = require('../../../reliability/matrix/app/content')
const { reduce } = require('../../../reliability/matrix/product')
const request = require('../../../reliability/matrix/request/cells')
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
    ['budget', 'HTTP/1: identity, chunked, guarded: req.destroy() amid', /left: N bytes or requests in the budget/],
    ['never', 'HTTP/1: multer memory: socket.destroy() amid', /next is called 0 times/],
    ['uncaught', 'HTTP/1: multer disk: socket.destroy() amid', /uncaught: Error: injected/],
    ['outcome', 'HTTP/1: multer memory, refused: nothing amid', /answer: "200 stored", multer "500 LIMIT_FILE_SIZE"/],
    [
      'outcome', 'HTTP/1: invalid JSON: nothing amid',
      /calls: \["no body"\], body-parser \["400 entity\.parse\.failed"\]/
    ],
    [
      'content', 'HTTP/1: given verify: return, at once; client whole',
      /what is read of verify is not what was sent, without an error/
    ],
    ['pending', 'HTTP/1: given parse: return, at once; client slow', /next is never called/],
    ['second', 'HTTP/2: given memory: read, at once; client whole', /next is called 2 times/],
    ['rejection', 'HTTP/1: given schema: return, at once; client whole', /uncaught: Error: injected/],
    ['held', 'HTTP/1: given verify, budget: return, at once; client whole', /left: N bytes or requests in the budget/],
    ['file', 'HTTP/1: given disk: read, at once; client RST', /left: temporary file injected/],
    ['descriptor', 'HTTP/1: given disk: read, at once; client whole', /left: descriptor of injected/]
  ]
  for (const [fault, filter, message] of INJECTED) {
    it(`finds the injected fault "${fault}" in "${filter}"`, () => {
      const { status, stdout } = matrix(`--inject-fault=${fault}`, `--filter=${filter}`)
      assert.match(stdout, message)
      assert.equal(status, 1)
    })
  }
})

describe('the reduced matrix', () => {
  for (const half of ['request', 'app']) {
    it(`has no fault in the half "${half}"`, function () {
      this.timeout(240_000) // 10 s on a quiet machine
      const { status, stdout, stderr } = matrix('--reduced', `--half=${half}`)
      assert.equal(status, 0, stdout + stderr)
      assert.match(stdout, /^\d{4} cells in \d+ s, 0 with faults$/m)
    })
  }

  for (const [half, { allCells, PAIRS }] of Object.entries({ request, app })) {
    const cells = allCells()

    it(`has every pair that the half "${half}" of the matrix has`, () => {
      const pairsOf = (cell) => PAIRS.map(([one, other]) => `${one} ${cell[one]}, ${other} ${cell[other]}`)
      const pairs = (cells) => new Set(cells.flatMap(pairsOf))
      for (const seed of [1, 2]) {
        const reduced = reduce(cells, PAIRS, createRandom(seed))
        assert.equal(pairs(reduced).size, pairs(cells).size)
        assert.ok(reduced.length < cells.length / 10)
      }
    })
  }

  it('has every lane and every act in its sample', () => {
    for (const { allCells, SAMPLE } of [request, app]) {
      const cells = allCells()
      const sample = reduce(cells, SAMPLE, createRandom(1))
      for (const field of ['lane', 'act', 'http']) {
        assert.deepEqual(new Set(sample.map((cell) => cell[field])), new Set(cells.map((cell) => cell[field])), field)
      }
      assert.ok(sample.length < 600)
    }
  })

  it('is the same for the same seed', () => {
    const { allCells, PAIRS } = request
    assert.deepEqual(reduce(allCells(), PAIRS, createRandom(3)), reduce(allCells(), PAIRS, createRandom(3)))
  })
})

describe('the verdict of a cell', () => {
  const cell = { lane: 'identity', step: 'amid the body', act: 'req.destroy()', http: 1 }
  const right = {
    calls: ['400 request.aborted'],
    isEarly: true,
    within: [],
    answer: 'none',
    uncaught: [],
    faults: [],
    left: []
  }

  it('names each fault', () => {
    assert.deepEqual(judge(cell, right, right), [])
    for (const [wrong, message] of [
      [{ calls: [] }, 'next is called 0 times'],
      [{ calls: ['a', 'b'] }, 'next is called 2 times, a, b'],
      [{ within: ["'aborted' of req"] }, "next is called within 'aborted' of req"],
      [{ uncaught: ['ERR_X', 'OF_THE_ACT'] }, 'uncaught: ERR_X'],
      [{ faults: ['a response in next throws ERR_X'] }, 'a response in next throws ERR_X'],
      [{ left: ['1 timers'] }, 'left: 1 timers']
    ]) assert.deepEqual(judge(cell, { ...right, ...wrong }, null), [message])
  })

  it('compares with body-parser, unless that is at fault itself', () => {
    const other = { ...right, answer: '413 entity.too.large' }
    assert.deepEqual(judge(cell, right, other), ['answer: "none", body-parser "413 entity.too.large"'])
    assert.deepEqual(judge(cell, right, { ...other, calls: [] }), [])
    assert.deepEqual(judge({ ...cell, lane: 'stream gzip' }, right, other), [], 'an allowed difference')
  })

  it('compares uploads with multer, and says so', () => {
    const upload = { ...cell, lane: 'multer memory', act: 'nothing' }
    const other = { ...right, calls: ['3000 a,c'] }
    assert.deepEqual(judge(upload, right, other), ['calls: ["400 request.aborted"], multer ["3000 a,c"]'])
    const closed = { ...right, calls: ['Request closed'] }
    assert.deepEqual(judge(upload, { ...right, calls: ['Request aborted'] }, closed), [], 'an allowed difference')
  })

  it("does not count what the act throws as the parser's fault, nor a response after an act in next", () => {
    assert.deepEqual(judge(cell, { ...right, uncaught: ['OF_THE_ACT'] }, null), [])
    assert.deepEqual(
      judge({ ...cell, step: 'in next' }, { ...right, faults: ['a response in next throws ERR_X'] }, null),
      []
    )
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
    uncaught: []
  }
  const cell = { lane: 'store', act: 'for await', client: 'whole' }
  const end = 'at once'

  it('finds nothing if the app reads what was sent', () => {
    assert.deepEqual(judgeApp(cell, right, end, []), [])
  })

  it('names each fault', () => {
    const call = { error: [], within: [], body: { ...fields } }
    for (const [wrong, message] of [
      [{ calls: [call, call] }, 'next is called 2 times'],
      [{ calls: [{ ...call, within: ['req.destroy()'] }] }, 'next is called within req.destroy()'],
      [{ uncaught: ['ERR_X'] }, 'uncaught: ERR_X'],
      [
        { readers: [{ ...read[0], content: Buffer.alloc(0) }, ...read] },
        'what is read of small is empty, without an error'
      ],
      [
        { readers: [{ ...read[0], content: files.large }, ...read] },
        'what is read of small is not what was sent, without an error'
      ],
      [{ readers: read.slice(1) }, 'small cannot be read: '],
      [{ readers: [failed[0], ...read.slice(1)] }, 'small cannot be read: ERR_X'],
      [{ seen: [{ label: 'small', some: Buffer.from('x') }] }, 'the beginning of small is not what was sent'],
      [{ calls: [{ ...call, error: [{ type: 'x' }] }] }, 'fails: x'],
      [{ calls: [{ ...call, body: {} }] }, 'req.body is wrong'],
      [{ answer: 'none' }, 'the client gets no response']
    ]) assert.deepEqual(judgeApp(cell, { ...right, ...wrong }, end, []), [message])
  })

  it('names what hangs', () => {
    assert.deepEqual(judgeApp(cell, right, 'when the client had left', []), ['settles only when the client had left'])
    assert.deepEqual(judgeApp(cell, { ...right, calls: [] }, null, []), ['next is never called'])
    const readers = [...read, { label: 'small', state: 'pending' }]
    assert.deepEqual(judgeApp(cell, { ...right, readers }, null, []), ['a reader waits for ever'])
    const handler = { state: 'pending', error: null }
    assert.deepEqual(judgeApp({ ...cell, lane: 'part' }, { ...right, calls: [], handler }, null, []),
      ['the handler is never done'])
    const cut = { ...cell, client: 'FIN' }
    const aborted = [{ error: [{ type: 'request.aborted' }], within: [] }]
    assert.deepEqual(judgeApp(cut, { ...right, calls: aborted, readers: failed }, 'when the client had left', []), [])
  })

  it('does not take a part for the whole', () => {
    assert.deepEqual(judgeApp({ ...cell, client: 'RST' }, { ...right, readers: failed }, end, []),
      ['next gets no error, although the body is cut'])
  })

  it('asks for the error that an act causes', () => {
    const { readers, ...others } = right
    assert.deepEqual(judgeApp({ ...cell, act: 'reject' }, { ...others, readers: [] }, end, []),
      ['the error of the act is lost'])
  })

  it('names what is left', () => {
    assert.deepEqual(judgeApp(cell, right, end, ['1 timers']), ['left: 1 timers'])
  })
})
