'use strict'

// What the attacks of `npm run hostile` are answered with; how long that takes
// and how much memory, only that command measures.

const assert = require('node:assert/strict')
const zlib = require('node:zlib')
const { readArguments } = require('../../../reliability/hostile/arguments')
const attacks = require('../../../reliability/hostile/attacks')
const { brotliBomb, deflateBomb, gzipBomb, gzipMembers, zstdBomb } = require('../../../reliability/hostile/attacks/compressed')
const { list, MB, wrap } = require('../../../reliability/hostile/attacks/fill')
const legal = require('../../../reliability/hostile/attacks/legal')
const { wireOf } = require('../../../reliability/hostile/client')
const { figuresOf, median } = require('../../../reliability/hostile/figures')
const run = require('../../../reliability/hostile/run')
const sides = require('../../../reliability/hostile/sides')
const { knownText, rowText } = require('../../../reliability/hostile/table')
const { faultsOf, isWithstood } = require('../../../reliability/hostile/verdict')

const QUICK = [
  'bomb-gzip', 'bomb-deflate', 'bomb-br', 'bomb-nested', 'bomb-two-codings', 'bomb-zstd',
  'flood-declared', 'flood-chunked', 'flood-endless', 'flood-empty-members',
  'form-parameters', 'form-deep', 'form-proto-array', 'json-deep', 'type-quoted', 'charset-proto'
]

describe('hostile load', () => {
  for (const attack of attacks.filter(({ name }) => QUICK.includes(name))) {
    it(`${attack.what}: ${attack.expect[0]}`, async () => {
      const { outcomes } = await run(attack, 'fast-body-parser', 1)
      assert.deepEqual(Object.keys(outcomes).filter((outcome) => !attack.expect.includes(outcome)), [])
    })
  }

  it('is held against bodies that are legal', async () => {
    for (const name of ['form', 'form-entities', 'form-nested']) {
      const { outcomes } = await run(legal[name], 'fast-body-parser', 1)
      assert.deepEqual(outcomes, { 200: 1 }, name)
    }
  })

  it('names each attack once, and its yardstick', () => {
    const names = attacks.map(({ name }) => name)
    assert.equal(new Set(names).size, names.length)
    for (const attack of attacks) assert.ok(attack.legal in sides || attack.legal in legal, attack.name)
  })
})

describe('bombs', () => {
  const size = 32 * MB

  it('decode to what they say', async () => {
    assert.equal(zlib.gunzipSync(gzipBomb(size)).length, size)
    assert.equal(zlib.gunzipSync(gzipMembers(size)).length, size)
    assert.equal(zlib.inflateSync(deflateBomb(size)).length, size)
    assert.equal(zlib.brotliDecompressSync(await brotliBomb(size)).length, size)
    if (zlib.zstdDecompressSync) assert.equal(zlib.zstdDecompressSync(zstdBomb(size)).length, size)
  })

  it('are small', async () => {
    assert.ok(gzipBomb(size).length < size / 1000)
    assert.ok(deflateBomb(size).length < size / 1000)
    assert.ok((await brotliBomb(size)).length < 1000)
    assert.ok(zstdBomb(size).length < size / 30_000)
  })
})

describe('hostile messages', () => {
  it('are sent in chunks of the size that is wanted', () => {
    const { head, pieces } = wireOf({ pieces: [Buffer.from('abcde')], chunk: 2 })
    assert.match(String(head), /\r\nTransfer-Encoding: chunked\r\n\r\n$/)
    assert.equal(String(Buffer.concat(pieces)), '2\r\nab\r\n2\r\ncd\r\n1\r\ne\r\n0\r\n\r\n')
  })

  it('declare the length of all pieces', () => {
    assert.match(String(wireOf({ pieces: [Buffer.from('abc'), Buffer.from('de')] }).head), /\r\nContent-Length: 5\r\n/)
  })

  it('have no end if they are endless', () => {
    assert.equal(String(wireOf({ pieces: [Buffer.from('a')], chunk: 1, endless: true }).pieces.at(-1)), '1\r\na\r\n')
  })

  it('fill the size that is wanted, and no more', () => {
    assert.equal(String(wrap('<', 'ab', '>', 7)), '<abab>')
    assert.equal(String(list('[', (index) => String(index), ']', 8)), '[0,1,2]')
  })
})

describe('hostile figures', () => {
  const laps = [
    { outcomes: ['200', '413 a'], wall: 100, hold: 90, peak: 5 },
    { outcomes: ['200', '413 a'], wall: 10, hold: 4, peak: 7 },
    { outcomes: ['200', '200'], wall: 30, hold: 2, peak: 6 }
  ]

  it('leave the first lap out of times, but not of memory', () => {
    assert.deepEqual(figuresOf(laps), { outcomes: { 200: 4, '413 a': 2 }, wall: 20, hold: 3, worst: 4, cold: 90, peak: 7 })
  })

  it('take the only lap there is', () => {
    assert.equal(figuresOf(laps.slice(0, 1)).hold, 90)
  })

  it('have medians', () => {
    assert.equal(median([3, 1, 2]), 2)
    assert.equal(median([4, 1, 2, 3]), 2.5)
  })

  const legalFigures = { hold: 10, peak: 100 * MB }
  const good = { outcomes: { '413 a': 3 }, hold: 10, peak: 100 * MB }

  it('are no fault if they are those of a legal body', () => {
    assert.deepEqual(faultsOf(['413 a'], good, legalFigures), [])
  })

  it('are a fault by their outcome, hold and memory', () => {
    assert.deepEqual(faultsOf(['413 a'], { ...good, outcomes: { '413 a': 2, 200: 1 } }, legalFigures), ['outcome'])
    assert.deepEqual(faultsOf(['413 a'], { ...good, hold: 20 }, legalFigures), ['hold'])
    assert.deepEqual(faultsOf(['413 a'], { ...good, peak: 200 * MB }, legalFigures), ['memory'])
  })

  it('are no failure if they are known, and tell why', () => {
    const known = { faults: ['memory'], why: 'because' }
    assert.equal(isWithstood([]), true)
    assert.equal(isWithstood(['memory']), false)
    assert.equal(isWithstood(['memory'], known), true)
    assert.equal(isWithstood(['memory', 'outcome'], known), false)
    const row = (faults) => ({ name: 'x', known, sides: { ours: { faults } } })
    assert.equal(knownText([row([])]), '')
    assert.match(knownText([row(['memory'])]), /\n {2}x: because$/)
  })

  it('make a row of the table', () => {
    const side = { outcomes: { 200: 1 }, wall: 12.4, hold: 1.26, peak: 3 * MB, legal: legalFigures, faults: [] }
    const row = { name: 'x', legal: 'bare', sides: { ours: { ...side, faults: ['hold'] }, theirs: { ...side, outcomes: { 500: 1 } } } }
    assert.match(rowText(row), /^x +200 +12 +12 +3 +3 +\(100\) +1\.3 +1\.3 +\(10\.0\) hold \(theirs: 500\)$/)
  })
})

describe('hostile arguments', () => {
  const named = [{ name: 'bomb-a' }, { name: 'form-b' }]

  it('choose attacks by parts of their names', () => {
    assert.deepEqual(readArguments([], named).attacks, named)
    assert.deepEqual(readArguments(['--filter=bomb'], named).attacks, [named[0]])
    assert.deepEqual(readArguments(['--filter=a, b'], named).attacks, named)
  })

  it('are refused in one line', () => {
    assert.throws(() => readArguments(['--filter=zzz'], named), /^Error: no attack's name contains "zzz"; --list names them all$/)
    assert.throws(() => readArguments(['--json='], named), /--json needs the name of a file/)
    assert.throws(() => readArguments(['--nope'], named), /Unknown option '--nope'; --help tells what there is/)
  })
})
