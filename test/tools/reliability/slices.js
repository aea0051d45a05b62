'use strict'

// Does the fuzzer of slices find nothing where there is nothing, and something
// where there is something?

const assert = require('node:assert/strict')
const { execFile } = require('node:child_process')
const path = require('node:path')
const { mayMistake, mistakesNames } = require('../../support/engine')
const generate = require('../../../reliability/slices/generate')
const createJudge = require('../../../reliability/slices/judge')
const planted = require('../../../reliability/slices/plant')
const reference = require('../../../reliability/slices/reference')
const run = require('../../../reliability/slices/run')
const isSame = require('../../support/same')
const shrink = require('../../../reliability/slices/shrink')
const { figuresText, findingText } = require('../../../reliability/slices/words')

const ROOT = path.join(__dirname, '../../..')

/** @returns {Promise<{ status: number, out: string, err: string }>} */
function fuzz (...flags) {
  return new Promise((resolve) => {
    execFile(process.execPath, [path.join(ROOT, 'reliability/slices/index.js'), ...flags], (error, out, err) => resolve({ status: error === null ? 0 : error.code, out, err }))
  })
}

describe('fuzzing slices', function () {
  this.timeout(60_000)

  it('finds no difference from JSON.parse', async () => {
    const { figures, finding } = await run({ documents: 5000, seed: 1, judge: createJudge() })
    assert.equal(finding === null ? null : findingText(finding, null), null)
    assert.equal(figures.documents, 5000)
    assert.equal(figures.valid + figures.broken, 5000)
    assert.ok(figures.valid > 1000 && figures.broken > 1000 && figures.cuttings > 5000)
  })

  for (const [name, plant] of Object.entries(planted)) {
    it(`finds a fault: ${name}`, async () => {
      const { figures, finding } = await run({ documents: 3000, seed: 1, judge: createJudge(plant) })
      assert.ok(finding !== null)
      assert.equal(finding.seed, figures.documents)
      const { difference } = await createJudge(plant)({ source: finding.source, sizes: [finding.size], long: finding.long })
      assert.ok(difference !== null)
      assert.equal((await createJudge()({ source: finding.source, sizes: [finding.size], long: finding.long })).difference, null)
    })
  }

  it('is a command', async () => {
    const [well, found, help, ...wrong] = await Promise.all([
      fuzz('--documents=50', '--seed=7'), fuzz('--documents=500', '--seed=7', '--plant=zero'), fuzz('--help'),
      fuzz('--documents=0'), fuzz('--documents=1e3'), fuzz('--seed=x'), fuzz('--plant=x'), fuzz('--nope')
    ])
    assert.equal(well.status, 0, well.out + well.err)
    assert.match(well.out, /^--seed=7\n50 documents from seed 7, \d+ valid and \d+ broken, cut in \d+ ways, in [\d.]+ s/)
    assert.equal(found.status, 1, found.out + found.err)
    assert.match(found.out, /\nDIFFERENCE from JSON.parse, .*\nsource: .*\n(bytes: .*\n)?ours: {3}.*\ntheirs: .*-0.*\nagain: npm run fuzz:slices -- --seed=\d+ --documents=1 --plant=zero\n$/)
    assert.equal(help.status, 0)
    assert.match(help.out, /^npm run fuzz:slices -- .*--documents=N .*--seed=N .*--plant=NAME /s)
    const messages = [/^fuzz:slices: --documents must be a whole number from 1 to 1000000000, not "0"\n$/, /--documents must be/, /--seed must be a whole number from 0/, /--plant must be one of order, /, /Unknown option '--nope'; --help tells what there is/]
    for (const [index, { status, err }] of wrong.entries()) {
      assert.equal(status, 2)
      assert.match(err, messages[index])
    }
  })

  it('has the same documents for the same seed, and of all kinds', () => {
    const documents = Array.from({ length: 2000 }, (_, seed) => generate(seed))
    for (const seed of [0, 7, 1999]) assert.deepEqual(generate(seed), documents[seed])
    const some = (holds) => assert.ok(documents.filter(holds).length > 10)
    some(({ source }) => typeof source === 'string' && source.isWellFormed())
    some(({ source }) => typeof source === 'string' && !source.isWellFormed())
    some(({ source }) => Buffer.isBuffer(source) && String(source).includes('\ufffd'))
    some(({ sizes, source }) => sizes[0] === 1 && source.length > 1)
    some(({ sizes }) => sizes.length > 1)
    some(({ long }) => long === 1)
    some(({ source }) => String(source).includes('"__proto__"'))
  })

  it('makes what it finds small', async () => {
    assert.equal(await shrink('some [text] of some length', async (text) => /\[.*\]/.test(text), 1000), '[]')
    assert.deepEqual(await shrink(Buffer.from('zz[zz'), async (bytes) => bytes.includes('['), 1000), Buffer.from('['))
    let tries = 0
    await shrink('z'.repeat(1000), async () => { tries++; return false }, 50)
    assert.equal(tries, 50)
  })

  it('tells what it found', () => {
    const finding = { seed: 3, source: Buffer.from('5b80', 'hex'), size: 1, long: 2, ours: { value: [-0] }, theirs: { error: new SyntaxError('no') } }
    assert.equal(findingText(finding, null), [
      'DIFFERENCE from JSON.parse, in chunks of 1 bytes, strings taken apart from 2 bytes on', 'source: "[\ufffd"', 'bytes: 5b80',
      'ours:   [ -0 ]', 'theirs: SyntaxError: no', 'again: npm run fuzz:slices -- --seed=3 --documents=1'
    ].join('\n'))
    assert.match(findingText({ ...finding, source: 'x'.repeat(2000), long: undefined, ours: { error: new TypeError('a fault') } }, 'zero'), /^DIFFERENCE from JSON.parse, of a text\nsource: "x{999}\.\.\. \(2002 characters\)\nours: {3}TypeError: a fault\n {4}at .*--plant=zero$/s)
    const figures = { documents: 1234, valid: 1000, broken: 234, cuttings: 2000, engine: 2 }
    assert.equal(figuresText(figures, 5, 1.25), '1,234 documents from seed 5, 1,000 valid and 234 broken, cut in 2,000 ways, in 1.3 s; in 2, JSON.parse took one name for another')
  })

  it('tells values apart that look the same', () => {
    const sealed = (value) => Object.defineProperty({}, 'a', { value, enumerable: true })
    const different = [[0, -0], [[], {}], [{ a: 1, b: 2 }, { b: 2, a: 1 }], [{ a: 1 }, { a: 2 }], [{ a: 1 }, {}], [[1], [1, 2]], [{ a: 1 }, Object.assign(Object.create(null), { a: 1 })], [{ a: 1 }, sealed(1)], [{}, JSON.parse('{"__proto__":{}}')], [null, {}], [1, '1'], [[undefined], new Array(1)]]
    for (const [one, other] of different) assert.deepEqual([isSame(one, other), isSame(other, one)], [false, false])
    for (const text of ['[]', '{"a":[{"b":-0}],"__proto__":{}}', 'null', '"a"']) assert.ok(isSame(JSON.parse(text), JSON.parse(text)))
  })

  describe('asks a third parser', () => {
    const isFaulty = mistakesNames()

    it('that agrees with JSON.parse', () => {
      for (let seed = 0; seed < 3000; seed++) {
        const text = String(generate(seed).source)
        if (isFaulty && mayMistake(text)) continue
        const outcomes = [JSON.parse, reference].map((parse) => {
          try {
            return { value: parse(text) }
          } catch {
            return null
          }
        })
        assert.ok(isSame(...outcomes), JSON.stringify(text.slice(0, 200)))
      }
    })

    it('whether it is JSON.parse that is wrong', async () => {
      JSON.parse('{"other":1,"\\\\":2}')
      const source = Buffer.from('{"other":1,"\\u0041":2}')
      const { engine, difference } = await createJudge()({ source, sizes: [4, source.length], long: 1 })
      assert.deepEqual([engine, difference], [isFaulty, null])
      const { difference: found } = await createJudge(planted.zero)({ source: Buffer.from('{"other":1,"\\u0041":-0}'), sizes: [4] })
      assert.notEqual(found, null)
    })
  })
})
