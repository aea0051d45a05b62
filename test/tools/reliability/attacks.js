'use strict'

// The responses to the attacks of `npm run attacks`; only that command measures
// time and memory.

const assert = require('node:assert/strict')
const { spawnSync } = require('node:child_process')
const path = require('node:path')
const zlib = require('node:zlib')
const attacks = require('../../../reliability/attacks/catalog')
const { brotliBomb, deflateBomb, gzipBomb, gzipMembers, zstdBomb } = require('../../../reliability/attacks/catalog/compressed')
const { list, MB, wrap } = require('../../../reliability/attacks/catalog/fill')
const legal = require('../../../reliability/attacks/catalog/legal')
const { serialize } = require('../../../reliability/attacks/client')
const figuresOf = require('../../../reliability/attacks/figures')
const options = require('../../../reliability/attacks/options')
const run = require('../../../reliability/attacks/run')
const { knownText, rowText } = require('../../../reliability/attacks/table')
const targets = require('../../../reliability/attacks/targets')
const { faultsOf, isWithstood } = require('../../../reliability/attacks/verdict')

const COMMAND = path.join(__dirname, '../../../reliability/attacks')
const QUICK = [
  'bomb-gzip', 'bomb-deflate', 'bomb-br', 'bomb-nested', 'bomb-two-codings', 'bomb-zstd',
  'flood-declared', 'flood-chunked', 'flood-endless', 'flood-empty-members',
  'form-parameters', 'form-deep', 'form-proto-array', 'json-deep', 'type-quoted', 'charset-proto'
]

describe('an attack', () => {
  for (const attack of attacks.filter(({ name }) => QUICK.includes(name))) {
    it(`by ${attack.what} is answered with ${attack.expect[0]}`, async () => {
      const { outcomes } = await run(attack, 'fast-body-parser', 1)
      assert.deepEqual(Object.keys(outcomes).filter((outcome) => !attack.expect.includes(outcome)), [])
    })
  }

  it('is compared with a legal body, which is answered with 200', async () => {
    for (const name of ['form', 'form-entities', 'form-nested']) {
      const { outcomes } = await run(legal[name], 'fast-body-parser', 1)
      assert.deepEqual(outcomes, { 200: 1 }, name)
    }
  })

  it('has a name of its own and a yardstick', () => {
    const names = attacks.map(({ name }) => name)
    assert.equal(new Set(names).size, names.length)
    for (const attack of attacks) assert.ok(attack.legal in targets || attack.legal in legal, attack.name)
  })
})

describe('a bomb', () => {
  const size = 32 * MB

  it('decodes to the size it is made for', async () => {
    assert.equal(zlib.gunzipSync(gzipBomb(size)).length, size)
    assert.equal(zlib.gunzipSync(gzipMembers(size)).length, size)
    assert.equal(zlib.inflateSync(deflateBomb(size)).length, size)
    assert.equal(zlib.brotliDecompressSync(await brotliBomb(size)).length, size)
    if (zlib.zstdDecompressSync) assert.equal(zlib.zstdDecompressSync(zstdBomb(size)).length, size)
  })

  it('is small', async () => {
    assert.ok(gzipBomb(size).length < size / 1000)
    assert.ok(deflateBomb(size).length < size / 1000)
    assert.ok((await brotliBomb(size)).length < 1000)
    assert.ok(zstdBomb(size).length < size / 30_000)
  })
})

describe('the message of an attack', () => {
  it('is sent in chunks of the size asked for', () => {
    const { head, pieces } = serialize({ pieces: [Buffer.from('abcde')], chunk: 2 })
    assert.match(String(head), /\r\nTransfer-Encoding: chunked\r\n\r\n$/)
    assert.equal(String(Buffer.concat(pieces)), '2\r\nab\r\n2\r\ncd\r\n1\r\ne\r\n0\r\n\r\n')
  })

  it('declares the length of all pieces', () => {
    assert.match(String(serialize({ pieces: [Buffer.from('abc'), Buffer.from('de')] }).head), /\r\nContent-Length: 5\r\n/)
  })

  it('has no last chunk if it is endless', () => {
    assert.equal(String(serialize({ pieces: [Buffer.from('a')], chunk: 1, endless: true }).pieces.at(-1)), '1\r\na\r\n')
  })

  it('fills the size asked for, and no more', () => {
    assert.equal(String(wrap('<', 'ab', '>', 7)), '<abab>')
    assert.equal(String(list('[', (index) => String(index), ']', 8)), '[0,1,2]')
  })
})

describe('the figures of an attack', () => {
  const laps = [
    { outcomes: ['200', '413 a'], wall: 100, hold: 90, peak: 5 },
    { outcomes: ['200', '413 a'], wall: 10, hold: 4, peak: 7 },
    { outcomes: ['200', '200'], wall: 30, hold: 2, peak: 6 }
  ]

  it('ignore the times of the first lap, but not its memory', () => {
    assert.deepEqual(figuresOf(laps), { outcomes: { 200: 4, '413 a': 2 }, wall: 20, hold: 3, worst: 4, cold: 90, peak: 7 })
  })

  it('use the first lap if there is no other', () => {
    assert.equal(figuresOf(laps.slice(0, 1)).hold, 90)
  })

  const legalFigures = { hold: 10, peak: 100 * MB }
  const good = { outcomes: { '413 a': 3 }, hold: 10, peak: 100 * MB }

  it('are no fault if a legal body has the same', () => {
    assert.deepEqual(faultsOf(['413 a'], good, legalFigures), [])
  })

  it('are a fault if the outcome, the hold or the memory is wrong', () => {
    assert.deepEqual(faultsOf(['413 a'], { ...good, outcomes: { '413 a': 2, 200: 1 } }, legalFigures), ['outcome'])
    assert.deepEqual(faultsOf(['413 a'], { ...good, hold: 20 }, legalFigures), ['hold'])
    assert.deepEqual(faultsOf(['413 a'], { ...good, peak: 200 * MB }, legalFigures), ['memory'])
  })

  it('are no failure if the fault is known; the reason is printed', () => {
    const known = { faults: ['memory'], why: 'because' }
    assert.equal(isWithstood([]), true)
    assert.equal(isWithstood(['memory']), false)
    assert.equal(isWithstood(['memory'], known), true)
    assert.equal(isWithstood(['memory', 'outcome'], known), false)
    const row = (faults) => ({ name: 'x', known, targets: { ours: { faults } } })
    assert.equal(knownText([row([])]), '')
    assert.match(knownText([row(['memory'])]), /\n {2}x: because$/)
  })

  it('are a row of the table', () => {
    const side = { outcomes: { 200: 1 }, wall: 12.4, hold: 1.26, peak: 3 * MB, legal: legalFigures, faults: [] }
    const row = { name: 'x', legal: 'bare', targets: { ours: { ...side, faults: ['hold'] }, theirs: { ...side, outcomes: { 500: 1 } } } }
    assert.match(rowText(row), /^x +200 +12 +12 +3 +3 +\(100\) +1\.3 +1\.3 +\(10\.0\) hold \(theirs: 500\)$/)
  })
})

describe('npm run attacks', () => {
  const select = (text) => options.filter.read(text).map(({ name }) => name)

  it('selects attacks by parts of their names', () => {
    assert.deepEqual(select('bomb-two,proto-array'), ['bomb-two-codings', 'form-proto-array'])
    assert.deepEqual(options.filter.default(), attacks)
  })

  it('refuses wrong options in one line', () => {
    for (const [arg, message] of [['--filter=zzz', /--filter must be part of an attack's name, not "zzz"; --list names them all/], ['--json=', /--json must be the name of a file/]]) {
      const { status, stderr } = spawnSync(process.execPath, [COMMAND, arg], { encoding: 'utf8' })
      assert.equal(status, 2)
      assert.match(stderr, message)
      assert.match(stderr, /^error: [^\n]*\n$/)
    }
  })
})
