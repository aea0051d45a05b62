'use strict'

const assert = require('node:assert/strict')
const attacks = require('../../../reliability/attacks/catalog')
const { list, MB, wrap } = require('../../../reliability/attacks/catalog/attack')
const { clientOf, serialize } = require('../../../reliability/attacks/attacker')
const { faultsOf, run, summarize } = require('../../../reliability/attacks/run')
const { all: scenarios, faultsIn, measureRow } = require('../../../reliability/attacks/scenarios')
const { createServer } = require('../../../reliability/attacks/app')
const { listen, stop } = require('../../../tools/local-server')
const Talk = require('../../../tools/talk')

const QUICK = [
  'bomb-gzip', 'bomb-deflate', 'bomb-br', 'bomb-zstd',
  'coded-lane-tables', 'coded-lane-lying', 'coded-br-window',
  'flood-declared', 'flood-chunked', 'flood-endless', 'flood-empty-members',
  'form-parameters', 'form-deep', 'json-deep', 'cooperative-shapes', 'type-quoted', 'types',
  'parts-lines', 'parts-parameters', 'parts-semicolons', 'parts-escapes',
  'items-digits', 'items-guess', 'batches-escaped-names', 'batches-escaped-quotes'
]

describe('an attack', function () {
  this.timeout(60_000)

  for (const attack of attacks.filter(({ name }) => QUICK.includes(name))) {
    it(`by ${attack.what} is answered with ${attack.expect[0]}`, async () => {
      const server = createServer({ target: attack.targets?.[0] ?? 'fast-body-parser', ...attack })
      const talk = await Talk.open(await listen(server))
      try {
        const { exchange } = await clientOf(attack)
        const outcome = await exchange(talk, 0)
        assert.ok(attack.expect.includes(outcome), outcome)
      } finally {
        stop(server)
      }
    })
  }

  it('is measured beside background clients', async () => {
    const own = Buffer.alloc(2 ** 28, 1) // held by this process, which is no server's peak
    const attack = attacks.find(({ name }) => name === 'form-deep')
    const { rate, figures } = await run(attack, { rounds: 1, seconds: 0.3 })
    assert.ok(rate > 0)
    assert.equal(figures.length, 2)
    for (const { busy, p50, p99, peak, outcomes } of figures) {
      assert.ok(busy > 0 && p50 > 0 && p99 >= p50 && peak > 1e7 && peak < own.length)
      assert.deepEqual(Object.keys(outcomes), ['400 querystring.parse.rangeError'])
    }
  })

  it('has a name of its own', () => {
    const names = [...attacks, ...scenarios].map(({ name }) => name)
    assert.deepEqual([...new Set(names)], names)
  })
})

describe('the message of an attack', () => {
  it('is sent in chunks of the size asked for, and has no last chunk if it is endless', () => {
    const { head, pieces } = serialize({ pieces: [Buffer.from('abcde')], chunk: 2 })
    assert.match(String(head), /\r\nTransfer-Encoding: chunked\r\n\r\n$/)
    assert.equal(String(Buffer.concat(pieces)), '2\r\nab\r\n2\r\ncd\r\n1\r\ne\r\n0\r\n\r\n')
    assert.equal(String(serialize({ pieces: [Buffer.from('a')], chunk: 1, endless: true }).pieces.at(-1)), '1\r\na\r\n')
  })

  it('declares the length of all pieces', () => {
    assert.match(String(serialize({ pieces: [Buffer.from('abc'), Buffer.from('de')] }).head),
      /\r\nContent-Length: 5\r\n/)
  })

  it('fills the size asked for, and no more', () => {
    assert.equal(String(wrap('<', 'ab', '>', 7)), '<abab>')
    assert.equal(String(list('[', (index) => String(index), ']', { size: 8 })), '[0,1,2]')
  })
})

describe('the verdict of an attack', () => {
  const figures = { busy: 0.4, p50: 1, p99: 10, peak: 100 * MB, missed: 0, outcomes: { 200: 5 } }
  const attack = { expect: ['200'] }

  it('is no fault if both are alike', () => {
    assert.deepEqual(faultsOf(attack, figures, figures), [])
  })

  for (const [fault, change] of Object.entries({
    busy: { busy: 0.5 },
    p50: { p50: 3 },
    p99: { p99: 30 },
    peak: { peak: 200 * MB },
    missed: { missed: 1 },
    outcome: { outcomes: { 200: 4, '500 undefined': 1 } }
  })) {
    it(`names what is worse: ${fault}`, () => {
      assert.deepEqual(faultsOf(attack, { ...figures, ...change }, figures), [fault])
    })
  }

  it('lets the main thread be busy as many times as long as the attack may', () => {
    assert.deepEqual(faultsOf({ ...attack, most: 2 }, { ...figures, busy: 0.9 }, figures), [])
    assert.deepEqual(faultsOf({ ...attack, most: 2 }, { ...figures, busy: 1, p50: 3 }, figures), ['busy', 'p50'])
  })

  it('judges no figure that an attack may exceed', () => {
    assert.deepEqual(faultsOf({ ...attack, allowed: ['busy'] }, { ...figures, busy: 1, p50: 3 }, figures), ['p50'])
  })

  it('is about the medians of all rounds', () => {
    const rounds = [1, 9, 2].map((value) =>
      ({ busy: value, p50: value, p99: value, peak: value, missed: value, outcomes: { 200: value } }))
    assert.deepEqual(summarize(rounds), { busy: 2, p50: 2, p99: 2, peak: 2, missed: 12, outcomes: { 200: 12 } })
  })
})

describe('a scenario of many clients', function () {
  this.timeout(60_000)

  for (const [row, names] of Object.entries({
    'fast-body-parser, guarded': ['mixed'],
    'fast-body-parser/multer, piping': ['multer-aborts']
  })) {
    for (const scenario of scenarios.filter(({ name }) => names.includes(name))) {
      it(`passes: ${scenario.what}`, async () => {
        assert.deepEqual(faultsIn(scenario, { [row]: await measureRow(scenario, row) }), [])
      })
    }
  }

  it('finds what a parser does wrong', () => {
    for (const scenario of scenarios) {
      const { name, columns, rows: settings } = scenario
      const [row] = Object.keys(settings)
      const good = columns.map(() => 0)
      if (name === 'budget') good.splice(0, 2, 'survives', 1)
      assert.deepEqual(faultsIn(scenario, { [row]: good }), [], name)
      const bad = columns.map((_, index) => index * 1000)
      assert.equal(faultsIn(scenario, { [row]: bad }).length, name === 'budget' ? 3 : 6, name)
    }
  })
})
