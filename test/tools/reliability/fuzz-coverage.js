'use strict'

const assert = require('node:assert/strict')
const { spawnSync } = require('node:child_process')
const fs = require('node:fs')
const os = require('node:os')
const path = require('node:path')
const faults = require('../../../reliability/fuzz-coverage/faults')
const { readInputs, writeInput } = require('../../../reliability/fuzz-coverage/files')
const fuzz = require('../../../reliability/fuzz-coverage/fuzz')
const { isKnown, RULES } = require('../../../reliability/fuzz-coverage/known')
const createMutator = require('../../../reliability/fuzz-coverage/mutate')
const options = require('../../../reliability/fuzz-coverage/options')
const { figuresText, findingText } = require('../../../reliability/fuzz-coverage/report')
const { readScript } = require('../../../reliability/fuzz-coverage/script')
const shrink = require('../../../reliability/fuzz-coverage/shrink')
const { fileOf, names } = require('../../../reliability/fuzz-coverage/target')
const { mustEqual } = require('../../../reliability/fuzz-coverage/wrong-answer')
const { readOptions } = require('../../../tools/command-line')
const { createRandom } = require('../../../tools/random')

const BOUND = 30_000 // inputs

describe('npm run fuzz:coverage', function () {
  this.timeout(60_000)

  for (const name of Object.keys(faults)) {
    it(`finds the injected fault of the target ${name}`, async () => {
      const { figures, finding } = await fuzz({ file: fileOf(name), seed: 1, runs: BOUND, tries: 100, fault: faults[name] })
      assert.ok(finding !== null, `not in ${figures.executions} inputs`)
      assert.match(finding.text, /\nours: .*\ntheirs: /s)
      assert.equal(finding.again, true)
    })
  }

  it('runs one input, with a fault and without', async () => {
    const run = { file: fileOf('form'), seed: 1, input: Buffer.from('\0a&a') }
    const { finding } = await fuzz({ ...run, fault: faults.form })
    assert.match(finding.text, /^parseFlat, utf-8, of "a&a"\nours: {3}\{ a: '' \}\n/)
    assert.equal((await fuzz(run)).finding, null)
  })

  it('has a fault for every target', () => {
    assert.deepEqual(Object.keys(faults).sort(), names)
  })

  it('reaches more than its seeds, and the same with the same seed', async () => {
    const run = (runs) => fuzz({ file: fileOf('form'), seed: 3, runs })
    const { figures: first } = await run(require(fileOf('form')).seeds.length)
    const { figures: one, finding } = await run(1000)
    const { figures: other } = await run(1000)
    assert.equal(finding, null)
    assert.equal(one.executions, 1000)
    assert.ok(one.points > first.points && one.features > first.features && one.points <= one.all)
    assert.deepEqual(one, other)
  })

  it('keeps inputs that reached new code, and starts from them', async () => {
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

  it('finds an input that never ends', async () => {
    const { finding } = await fuzz({ file: require.resolve('./support/endless-target'), seed: 1, runs: 10, silence: 1500 })
    assert.equal(finding.text, 'no end after 1.5 s')
    assert.equal(String(finding.bytes), 'end')
  })

  it('finds an error that is not caught', async () => {
    const { finding } = await fuzz({ file: require.resolve('./support/throwing-target'), seed: 1, runs: 10 })
    assert.match(finding.text, /^not caught: Error: thrown later\n/)
    assert.equal(String(finding.bytes), 'throw')
  })
})

describe('the parts of npm run fuzz:coverage', () => {
  it('make mutants of bounded length, the same for the same seed', () => {
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

  it('shrink a finding', async () => {
    const holds = async (bytes) => bytes.includes('[') && bytes.includes(']', bytes.indexOf('['))
    assert.equal(String(await shrink(Buffer.from('some [text] of some length'), holds, 1000)), '[]')
    assert.equal(String(await shrink(Buffer.from('zz[zz'), async (bytes) => bytes.length === 5, 1000)), '\0\0\0\0\0')
    let tries = 0
    await shrink(Buffer.alloc(1000, 'z'), async () => { tries++; return false }, 50)
    assert.equal(tries, 50)
  })

  it('distinguish answers by prototypes and order', () => {
    assert.throws(() => mustEqual({ a: 1 }, Object.assign(Object.create(null), { a: 1 }), () => 'x'), /^WrongAnswer: x\nours: /)
    assert.throws(() => mustEqual({ a: 1, b: 2 }, { b: 2, a: 1 }, () => 'x'))
    mustEqual({ a: [1, undefined] }, { a: [1, undefined] })
  })

  it('make scripts with one call of the parser', () => {
    const actsOf = (...bytes) => readScript(Buffer.from(bytes)).steps.map(({ act }) => act)
    assert.deepEqual(actsOf(0, 0, 0, 4), ['parse', 'push', 'end'])
    assert.deepEqual(actsOf(0, 0, 0, 10, 4, 10), ['push', 'parse', 'end'])
    assert.deepEqual(actsOf(), ['parse'])
    assert.deepEqual(readScript(Buffer.of(8, 7)).options, { type: '*/*', limit: 0 })
    assert.deepEqual(readScript(Buffer.of(8, 7)).headers, { 'content-type': 'text/plain', 'content-length': '7' })
  })

  it('ignore only differences that are listed, or marked as not listed', () => {
    const readme = fs.readFileSync(path.join(__dirname, '..', '..', '..', 'README.md'), 'utf8')
    for (const { line } of RULES) assert.ok(line === null || readme.includes(`\n- ${line}`), line)
  })

  it('ignore hardly anything in a script in which only the parser acts', () => {
    const script = readScript(Buffer.from([0, 0, 0, 3, 0, 4]))
    const outcome = (body, error = null) => ({ calls: 1, crash: null, error, body, left: false })
    assert.equal(isKnown(outcome('a'), outcome('ab'), script), false)
    assert.equal(isKnown(outcome(undefined, { type: 'request.aborted', received: 2 }), outcome('ab'), script), false)
    assert.equal(isKnown({ ...outcome(), calls: 0 }, outcome('ab'), script), false)
    const tooLarge = (received) => outcome(undefined, { type: 'entity.too.large', received })
    assert.equal(isKnown(tooLarge(3), tooLarge(2), script), true)
    assert.equal(isKnown(tooLarge(2), tooLarge(3), script), false)
  })

  it('keep inputs in files', () => {
    const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'inputs-'))
    try {
      for (const text of ['long one', 'one', 'one']) writeInput(folder, 'x-', Buffer.from(text))
      assert.deepEqual(readInputs(folder).map(String), ['one', 'long one'])
      assert.deepEqual(readInputs(path.join(folder, 'none')), [])
    } finally {
      fs.rmSync(folder, { recursive: true })
    }
  })

  it('describe figures and findings', () => {
    assert.equal(figuresText('form', { executions: 12345, points: 5, all: 9, features: 7, inputs: 3 }, 10), 'form: 12,345 inputs, 1,235/s, 5 of 9 points, 7 features, 3 inputs kept')
    const text = findingText('form', { bytes: Buffer.from('\0a'), text: 'wrong', again: false }, path.resolve('x/y'), 'form')
    assert.equal(text, 'FOUND by form (not by the same input a second time): wrong\ninput: 2 bytes, "\\u0000a"\nagain: npm run fuzz:coverage -- --filter=form --input=x/y --inject-fault=form')
  })

  it('have defaults for options, and refuse wrong ones in one line', () => {
    const { filter, seconds, runs, fresh, input, injectFault } = readOptions([], options).values
    assert.deepEqual({ filter, seconds, runs, fresh, input, injectFault }, { filter: names, seconds: 60, runs: Infinity, fresh: false, input: null, injectFault: null })
    assert.deepEqual(readOptions(['--filter=gate,form', '--seed=7', '--runs=5'], options).values.filter, ['gate', 'form'])
    for (const [arg, message] of [
      ['--filter=nope', /--filter must be some of brotli, .*not "nope"/], ['--seconds=0', /--seconds must be a whole number from 1 to 86400, not "0"/],
      ['--runs=1e3', /--runs must be a whole number/], ['--seed=x', /--seed must be a whole number/], ['--inject-fault=x', /--inject-fault must be one of /],
      ['--input=/nope', /--input must be a file that exists, not "\/nope"/]
    ]) assert.throws(() => readOptions([arg], options), message)
    const { status, stderr } = spawnSync(process.execPath, [path.join(__dirname, '../../../reliability/fuzz-coverage'), `--input=${__filename}`], { encoding: 'utf8' })
    assert.deepEqual([status, stderr], [2, 'error: --input needs --filter with one target\n'])
  })
})
