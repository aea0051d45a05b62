'use strict'

// The fuzzer of slices must find injected faults, and nothing where there is no
// fault.

const assert = require('node:assert/strict')
const { execFile } = require('node:child_process')
const path = require('node:path')
const fc = require('fast-check')
const faults = require('../../../reliability/fuzz-slices/faults')
const anyDocument = require('../../../reliability/fuzz-slices/generate')
const createJudge = require('../../../reliability/fuzz-slices/judge')
const reference = require('../../../reliability/fuzz-slices/reference')
const { figuresText, findingText } = require('../../../reliability/fuzz-slices/report')
const run = require('../../../reliability/fuzz-slices/run')
const { mayMistake, mistakesNames } = require('../../support/engine')
const isSame = require('../../support/same')

const COMMAND = path.join(__dirname, '../../../reliability/fuzz-slices')

/** @returns {Promise<{ status: number, out: string, err: string }>} */
function fuzz (...flags) {
  return new Promise((resolve) => {
    execFile(process.execPath, [COMMAND, ...flags], (error, out, err) => resolve({ status: error === null ? 0 : error.code, out, err }))
  })
}

describe('npm run fuzz:slices', function () {
  this.timeout(60_000)

  it('finds no difference from JSON.parse', async () => {
    const { figures, finding } = await run({ documents: 5000, seed: 1, judge: createJudge() })
    assert.equal(finding === null ? null : findingText(finding, null), null)
    assert.equal(figures.documents, 5000)
    assert.equal(figures.valid + figures.broken, 5000)
    assert.ok(figures.valid > 1000 && figures.broken > 1000 && figures.cuttings > 5000)
  })

  for (const [name, fault] of Object.entries(faults)) {
    it(`finds the injected fault "${name}", makes the document small, and finds it again`, async () => {
      const judge = createJudge(fault)
      const { figures, finding } = await run({ documents: 3000, seed: 1, judge })
      assert.ok(finding !== null)
      const { documents, seed, path, source, size, long } = { ...finding, documents: figures.documents }
      assert.ok(documents < 500 && source.length < 500, `${documents} documents, ${source.length} long`)
      const { figures: once, finding: again } = await run({ documents: 1, seed, path, judge })
      assert.deepEqual([once.documents, again.source], [1, source])
      assert.equal((await createJudge()({ source, sizes: [size], long })).difference, null)
    })
  }

  it('prints a difference with the command that repeats it', async () => {
    const [right, found] = await Promise.all([fuzz('--documents=50', '--seed=7'), fuzz('--documents=500', '--seed=7', '--inject-fault=zero')])
    assert.equal(right.status, 0, right.out + right.err)
    assert.match(right.out, /^--seed=7\n50 documents from seed 7, \d+ valid and \d+ broken, cut in \d+ ways, in [\d.]+ s/)
    assert.equal(found.status, 1, found.out + found.err)
    assert.match(found.out, /\nDIFFERENCE from JSON.parse, .*\nsource: .*\n(bytes: .*\n)?ours: {3}.*\ntheirs: .*-0.*\nagain: /)
    const [, command] = /\nagain: npm run fuzz:slices -- (--seed=7 --path=[\d:]+ --inject-fault=zero)\n$/.exec(found.out)
    const again = await fuzz(...command.split(' '))
    assert.equal(again.status, 1)
    assert.equal(/source: .*/.exec(again.out)[0], /source: .*/.exec(found.out)[0])
  })

  it('lists its options with --help, and refuses wrong ones in one line', async () => {
    const [help, ...wrong] = await Promise.all([['--help'], ['--documents=0'], ['--documents=1e3'], ['--seed=x'], ['--inject-fault=x'], ['--path=1'], ['--nope']].map((flags) => fuzz(...flags)))
    assert.equal(help.status, 0)
    assert.match(help.out, /^npm run fuzz:slices -- .*--documents=N .*--seed=N .*--path=P .*--inject-fault=NAME /s)
    const messages = [/--documents must be a whole number from 1 to 1000000000, not "0"/, /--documents must be/, /--seed must be a whole number from 0/, /--inject-fault must be one of order, /, /--path needs the --seed/, /Unknown option '--nope'; --help lists/]
    for (const [index, { status, err }] of wrong.entries()) {
      assert.equal(status, 2)
      assert.match(err, messages[index])
      assert.match(err, /^error: [^\n]*\n$/)
    }
  })

  it('draws documents of all kinds', () => {
    const documents = fc.sample(anyDocument, { seed: 1, numRuns: 2000 })
    const some = (holds) => assert.ok(documents.filter(holds).length > 10)
    some(({ source }) => typeof source === 'string' && source.isWellFormed())
    some(({ source }) => typeof source === 'string' && !source.isWellFormed())
    some(({ source }) => Buffer.isBuffer(source) && String(source).includes('\ufffd'))
    some(({ sizes, source }) => sizes[0] === 1 && source.length > 1)
    some(({ sizes }) => sizes.length > 1)
    some(({ long }) => long === 1)
    some(({ source }) => String(source).includes('"__proto__"'))
  })

  it('describes a difference', () => {
    const finding = { seed: 3, path: '4:0', source: Buffer.from('5b80', 'hex'), size: 1, long: 2, ours: { value: [-0] }, theirs: { error: new SyntaxError('no') } }
    assert.equal(findingText(finding, null), [
      'DIFFERENCE from JSON.parse, in chunks of 1 bytes, strings taken apart from 2 bytes on', 'source: "[\ufffd"', 'bytes: 5b80',
      'ours:   [ -0 ]', 'theirs: SyntaxError: no', 'again: npm run fuzz:slices -- --seed=3 --path=4:0'
    ].join('\n'))
    assert.match(findingText({ ...finding, source: 'x'.repeat(2000), long: undefined, ours: { error: new TypeError('a fault') } }, 'zero'), /^DIFFERENCE from JSON.parse, of a text\nsource: "x{999}\.\.\. \(2002 characters\)\nours: {3}TypeError: a fault\n {4}at .*--inject-fault=zero$/s)
    const figures = { documents: 1234, valid: 1000, broken: 234, cuttings: 2000, engine: 2 }
    assert.equal(figuresText(figures, 5, 1.25), '1,234 documents from seed 5, 1,000 valid and 234 broken, cut in 2,000 ways, in 1.3 s; in 2, JSON.parse mistook one name for another')
  })

  it('distinguishes values that look the same', () => {
    const sealed = (value) => Object.defineProperty({}, 'a', { value, enumerable: true })
    const different = [[0, -0], [[], {}], [{ a: 1, b: 2 }, { b: 2, a: 1 }], [{ a: 1 }, { a: 2 }], [{ a: 1 }, {}], [[1], [1, 2]], [{ a: 1 }, Object.assign(Object.create(null), { a: 1 })], [{ a: 1 }, sealed(1)], [{}, JSON.parse('{"__proto__":{}}')], [null, {}], [1, '1'], [[undefined], new Array(1)]]
    for (const [one, other] of different) assert.deepEqual([isSame(one, other), isSame(other, one)], [false, false])
    for (const text of ['[]', '{"a":[{"b":-0}],"__proto__":{}}', 'null', '"a"']) assert.ok(isSame(JSON.parse(text), JSON.parse(text)))
  })

  describe('asks a reference parser', () => {
    const isFaulty = mistakesNames()

    it('that agrees with JSON.parse', () => {
      for (const { source } of fc.sample(anyDocument, { seed: 2, numRuns: 3000 })) {
        const text = String(source)
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

    it('whether JSON.parse is wrong', async () => {
      JSON.parse('{"other":1,"\\\\":2}')
      const source = Buffer.from('{"other":1,"\\u0041":2}')
      const { engine, difference } = await createJudge()({ source, sizes: [4, source.length], long: 1 })
      assert.deepEqual([engine, difference], [isFaulty, null])
      const { difference: found } = await createJudge(faults.zero)({ source: Buffer.from('{"other":1,"\\u0041":-0}'), sizes: [4] })
      assert.notEqual(found, null)
    })
  })
})
