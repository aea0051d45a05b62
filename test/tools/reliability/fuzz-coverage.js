'use strict'

const assert = require('node:assert/strict')
const fs = require('node:fs')
const os = require('node:os')
const path = require('node:path')
const { readArguments } = require('../../../reliability/coverage/arguments')
const { readInputs, writeInput } = require('../../../reliability/coverage/files')
const fuzz = require('../../../reliability/coverage/fuzz')
const { isKnown, RULES } = require('../../../reliability/coverage/known')
const createMutator = require('../../../reliability/coverage/mutate')
const planted = require('../../../reliability/coverage/plant')
const { readScript } = require('../../../reliability/coverage/script')
const shrink = require('../../../reliability/coverage/shrink')
const { fileOf, names } = require('../../../reliability/coverage/target')
const { figuresText, findingText } = require('../../../reliability/coverage/words')
const { mustEqual } = require('../../../reliability/coverage/wrong-answer')
const createRandom = require('../../../perf/random')

const BOUND = 30_000 // inputs

describe('fuzzing by coverage', function () {
  this.timeout(60_000)

  for (const name of Object.keys(planted)) {
    it(`finds a fault in what ${name} is about`, async () => {
      const { figures, finding } = await fuzz({ file: fileOf(name), seed: 1, runs: BOUND, tries: 100, plant: planted[name] })
      assert.ok(finding !== null, `not in ${figures.executions} inputs`)
      assert.match(finding.text, /\nours: .*\ntheirs: /s)
      assert.equal(finding.again, true)
    })
  }

  it('runs one input, with the fault and without', async () => {
    const run = { file: fileOf('form'), seed: 1, input: Buffer.from('\0a&a') }
    const { finding } = await fuzz({ ...run, plant: planted.form })
    assert.match(finding.text, /^parseFlat, utf-8, of "a&a"\nours: {3}\{ a: '' \}\n/)
    assert.equal((await fuzz(run)).finding, null)
  })

  it('has a fault for every target', () => {
    assert.deepEqual(Object.keys(planted).sort(), names)
  })

  it('gets further than its seeds, and the same way with the same seed', async () => {
    const run = (runs) => fuzz({ file: fileOf('form'), seed: 3, runs })
    const { figures: first } = await run(require(fileOf('form')).seeds.length)
    const { figures: one, finding } = await run(1000)
    const { figures: other } = await run(1000)
    assert.equal(finding, null)
    assert.equal(one.executions, 1000)
    assert.ok(one.points > first.points && one.features > first.features && one.points <= one.all)
    assert.deepEqual(one, other)
  })

  it('keeps what led further, and begins with it', async () => {
    const corpus = fs.mkdtempSync(path.join(os.tmpdir(), 'corpus-'))
    try {
      const { seeds } = require(fileOf('form'))
      await fuzz({ file: fileOf('form'), seed: 3, runs: 500, corpus })
      const kept = readInputs(corpus)
      assert.ok(kept.length > 0)
      const { figures: with_ } = await fuzz({ file: fileOf('form'), seed: 3, runs: seeds.length + kept.length, corpus })
      const { figures: without } = await fuzz({ file: fileOf('form'), seed: 3, runs: seeds.length })
      assert.ok(with_.features > without.features)
    } finally {
      fs.rmSync(corpus, { recursive: true })
    }
  })

  it('finds an input that takes for ever', async () => {
    const { finding } = await fuzz({ file: require.resolve('./support/endless-target'), seed: 1, runs: 10, silence: 1500 })
    assert.equal(finding.text, 'no end after 1.5 s')
    assert.equal(String(finding.bytes), 'end')
  })

  it('finds what nobody catches', async () => {
    const { finding } = await fuzz({ file: require.resolve('./support/throwing-target'), seed: 1, runs: 10 })
    assert.match(finding.text, /^not caught: Error: thrown later\n/)
    assert.equal(String(finding.bytes), 'throw')
  })
})

describe('fuzzing by coverage: the parts', () => {
  it('mutants are of bounded length, and the same for the same seed', () => {
    const mutantsOf = (seed) => {
      const mutate = createMutator(createRandom(seed), [Buffer.from('word')], 20)
      return Array.from({ length: 500 }, () => mutate(Buffer.from('some input'), Buffer.from('other')).toString('latin1'))
    }
    const mutants = mutantsOf(1)
    assert.deepEqual(mutants, mutantsOf(1))
    assert.ok(mutants.every(({ length }) => length <= 20))
    assert.ok(new Set(mutants).size > 400)
    for (const part of ['word', 'other']) assert.ok(mutants.some((mutant) => mutant.includes(part)), part)
  })

  it('what was found is made small', async () => {
    const holds = async (bytes) => bytes.includes('[') && bytes.includes(']', bytes.indexOf('['))
    assert.equal(String(await shrink(Buffer.from('some [text] of some length'), holds, 1000)), '[]')
    assert.equal(String(await shrink(Buffer.from('zz[zz'), async (bytes) => bytes.length === 5, 1000)), '\0\0\0\0\0')
    let tries = 0
    await shrink(Buffer.alloc(1000, 'z'), async () => { tries++; return false }, 50)
    assert.equal(tries, 50)
  })

  it('answers differ in prototypes and order, too', () => {
    assert.throws(() => mustEqual({ a: 1 }, Object.assign(Object.create(null), { a: 1 }), () => 'x'), /^WrongAnswer: x\nours: /)
    assert.throws(() => mustEqual({ a: 1, b: 2 }, { b: 2, a: 1 }, () => 'x'))
    mustEqual({ a: [1, undefined] }, { a: [1, undefined] })
  })

  it('scripts have one call of the parser', () => {
    const actsOf = (...bytes) => readScript(Buffer.from(bytes)).steps.map(({ act }) => act)
    assert.deepEqual(actsOf(0, 0, 0, 4), ['parse', 'push', 'end'])
    assert.deepEqual(actsOf(0, 0, 0, 10, 4, 10), ['push', 'parse', 'end'])
    assert.deepEqual(actsOf(), ['parse'])
    assert.deepEqual(readScript(Buffer.of(8, 7)).options, { type: '*/*', limit: 0 })
    assert.deepEqual(readScript(Buffer.of(8, 7)).headers, { 'content-type': 'text/plain', 'content-length': '7' })
  })

  it('what is known is in the README, or said not to be', () => {
    const readme = fs.readFileSync(path.join(__dirname, '..', '..', '..', 'README.md'), 'utf8')
    for (const { line } of RULES) assert.ok(line === null || readme.includes(`\n- ${line}`), line)
  })

  it('without a step that somebody else makes, hardly anything is known', () => {
    const script = readScript(Buffer.from([0, 0, 0, 3, 0, 4]))
    const outcome = (body, error = null) => ({ calls: 1, crash: null, error, body, left: false })
    assert.equal(isKnown(outcome('a'), outcome('ab'), script), false)
    assert.equal(isKnown(outcome(undefined, { type: 'request.aborted', received: 2 }), outcome('ab'), script), false)
    assert.equal(isKnown({ ...outcome(), calls: 0 }, outcome('ab'), script), false)
    const tooLarge = (received) => outcome(undefined, { type: 'entity.too.large', received })
    assert.equal(isKnown(tooLarge(3), tooLarge(2), script), true)
    assert.equal(isKnown(tooLarge(2), tooLarge(3), script), false)
  })

  it('inputs are files', () => {
    const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'inputs-'))
    try {
      for (const text of ['long one', 'one', 'one']) writeInput(folder, 'x-', Buffer.from(text))
      assert.deepEqual(readInputs(folder).map(String), ['one', 'long one'])
      assert.deepEqual(readInputs(path.join(folder, 'none')), [])
    } finally {
      fs.rmSync(folder, { recursive: true })
    }
  })

  it('tells figures and findings', () => {
    assert.equal(figuresText('form', { executions: 12345, points: 5, all: 9, features: 7, inputs: 3 }, 10), 'form: 12,345 inputs, 1,235/s, 5 of 9 points, 7 features, 3 inputs kept')
    const text = findingText('form', { bytes: Buffer.from('\0a'), text: 'wrong', again: false }, path.resolve('x/y'), 'form')
    assert.equal(text, 'FOUND by form (not by the same input a second time): wrong\ninput: 2 bytes, "\\u0000a"\nagain: npm run fuzz:coverage -- --filter=form --input=x/y --plant=form')
  })

  it('arguments have defaults, and wrong ones are refused in one line', () => {
    const { targets, seconds, runs, fresh, input, plant } = readArguments([])
    assert.deepEqual({ targets, seconds, runs, fresh, input, plant }, { targets: names, seconds: 60, runs: Infinity, fresh: false, input: null, plant: null })
    assert.deepEqual(readArguments(['--filter=gate,form', '--seed=7', '--runs=5']).targets, ['gate', 'form'])
    assert.throws(() => readArguments(['--filter=nope']), /^Error: --filter: there is no target "nope", but brotli, /)
    assert.throws(() => readArguments(['--seconds=0']), /--seconds must be a whole number from 1 to 86400, not "0"/)
    assert.throws(() => readArguments(['--runs=1e3']), /--runs must be a whole number/)
    assert.throws(() => readArguments(['--seed=x']), /--seed must be a whole number/)
    assert.throws(() => readArguments(['--plant=x']), /--plant must be one of /)
    assert.throws(() => readArguments(['--input=README.md']), /--input needs --filter with one target/)
    assert.throws(() => readArguments(['--filter=form', '--input=/nope']), /--input: there is no "\/nope"/)
    assert.throws(() => readArguments(['--nope']), /Unknown option '--nope'; --help tells what there is/)
  })
})
