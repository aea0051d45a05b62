'use strict'

const assert = require('node:assert/strict')
const fs = require('node:fs')
const os = require('node:os')
const path = require('node:path')
const { isDeepStrictEqual } = require('node:util')
const faults = require('../../../reliability/fuzz-coverage/faults')
const { readInputs, writeInput } = require('../../../reliability/fuzz-coverage/files')
const fuzz = require('../../../reliability/fuzz-coverage/fuzz')
const { isKnown, RULES, withoutKnown } = require('../../../reliability/fuzz-coverage/known')
const createMutator = require('../../../reliability/fuzz-coverage/mutate')
const { options, requireOneTarget } = require('../../../reliability/fuzz-coverage/options')
const { figuresText, findingText } = require('../../../reliability/fuzz-coverage/report')
const { ACTS, OBSERVERS, readScript } = require('../../../reliability/fuzz-coverage/script')
const shrink = require('../../../reliability/fuzz-coverage/shrink')
const { fileOf, names } = require('../../../reliability/fuzz-coverage/target')
const { mustEqual } = require('../../../reliability/fuzz-coverage/wrong-answer')
const { readOptions } = require('../../../tools/command-line')
const { createRandom } = require('../../../tools/random')
const UserError = require('../../../tools/user-error')

const BOUND = 30_000 // inputs

describe('npm run fuzz:coverage', function () {
  this.timeout(60_000)

  for (const name of Object.keys(faults)) {
    it(`finds an injected fault with the target ${name}`, async () => {
      const { figures, finding } = await fuzz({ file: fileOf(name), seed: 1, runs: BOUND, tries: 100, fault: faults[name] })
      assert.ok(finding !== null, `not in ${figures.executions} inputs`)
      assert.match(finding.text, /\nours: .*\ntheirs: /s)
      assert.equal(finding.isRepeatable, true)
    })
  }

  it('runs one input, with a fault and without', async () => {
    const run = { file: fileOf('form'), seed: 1, input: Buffer.from('\0a&a') }
    const { finding } = await fuzz({ ...run, fault: faults.form })
    assert.match(finding.text, /^parseFlat, utf-8, of "a&a"\nours: {3}\{ a: '' \}\n/)
    assert.equal((await fuzz(run)).finding, null)
  })

  it('has a fault for each target', () => {
    assert.deepEqual(Object.keys(faults).sort(), names)
  })

  it('reaches more than its seeds do, and the same with the same seed', async () => {
    const run = (runs) => fuzz({ file: fileOf('form'), seed: 3, runs })
    const { figures: first } = await run(require(fileOf('form')).seeds.length)
    const { figures: one, finding } = await run(1000)
    const { figures: other } = await run(1000)
    assert.equal(finding, null)
    assert.equal(one.executions, 1000)
    assert.ok(one.points > first.points && one.features > first.features && one.points <= one.all)
    assert.deepEqual(one, other)
  })

  it('keeps inputs that reach something new, and begins with them', async () => {
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
    assert.equal(finding.text, 'no result after 1.5 s')
    assert.equal(String(finding.bytes), 'end')
  })

  it('finds an uncaught exception', async () => {
    const { finding } = await fuzz({ file: require.resolve('./support/throwing-target'), seed: 1, runs: 10 })
    assert.match(finding.text, /^uncaught: Error: thrown later\n/)
    assert.equal(String(finding.bytes), 'throw')
  })
})

describe('parts of npm run fuzz:coverage', () => {
  it('mutants have a bounded length, and are the same for the same seed', () => {
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

  it('findings are minimized', async () => {
    const holds = async (bytes) => bytes.includes('[') && bytes.includes(']', bytes.indexOf('['))
    assert.equal(String(await shrink(Buffer.from('some [text] of some length'), holds, 1000)), '[]')
    assert.equal(String(await shrink(Buffer.from('zz[zz'), async (bytes) => bytes.length === 5, 1000)), '\0\0\0\0\0')
    let tries = 0
    await shrink(Buffer.alloc(1000, 'z'), async () => { tries++; return false }, 50)
    assert.equal(tries, 50)
  })

  it('results also differ by prototypes and by the order of names', () => {
    assert.throws(() => mustEqual({ a: 1 }, Object.assign(Object.create(null), { a: 1 }), () => 'x'), /^WrongAnswer: x\nours: /)
    assert.throws(() => mustEqual({ a: 1, b: 2 }, { b: 2, a: 1 }, () => 'x'))
    mustEqual({ a: [1, undefined] }, { a: [1, undefined] })
  })

  it('scripts call the parser once or twice, and have observers', () => {
    const actsOf = (...bytes) => readScript(Buffer.from(bytes)).steps.map(({ act }) => act)
    assert.deepEqual(actsOf(0, 0, 0, 0, 4), ['parse', 'push', 'end'])
    assert.deepEqual(actsOf(0, 0, 0, 0, 10, 4, 10, 10), ['push', 'parse', 'end', 'parse'])
    assert.deepEqual(actsOf(), ['parse'])
    const { options, headers, observers } = readScript(Buffer.of(8, 7, 0b00010001))
    assert.deepEqual(options, { type: '*/*', limit: 0 })
    assert.deepEqual(headers, { 'content-type': 'text/plain', 'content-length': '7' })
    assert.deepEqual([...observers], ['ownOn', 'ownEmit'])
    assert.deepEqual([...readScript(Buffer.of(0, 0, 255)).observers], OBSERVERS)
  })

  it('known differences are sections of docs/differences.md, or crashes of body-parser', () => {
    const page = fs.readFileSync(path.join(__dirname, '../../../docs/differences.md'), 'utf8')
    for (const { section } of RULES) assert.ok(section === null || page.includes(`\n## ${section}\n`), section)
    assert.equal(RULES.filter(({ section }) => section === null).length, 1)
  })

  describe('known differences', () => {
    const scriptOf = (...acts) => readScript(Buffer.from([0, 0, 0, ...acts.map((act) => ACTS.indexOf(act))]))
    const outcome = (...records) => ({ calls: records.filter(([kind]) => kind === 'next').length, crash: null, parses: 1, records })
    const isEqual = (ours, theirs, script) => {
      if (isKnown(ours, theirs, script)) return true
      const [one, other] = withoutKnown(ours, theirs, script)
      return isDeepStrictEqual(one, other)
    }
    const [end, parsed, tooLarge] = [['emit', 'end'], ['next', null, 'a', {}], ['next', { type: 'entity.too.large' }, undefined, {}]]

    it('do not include another body, another order or another state', () => {
      const script = scriptOf('parse', 'push', 'end')
      assert.equal(isEqual(outcome(end, parsed), outcome(end, parsed), script), true)
      assert.equal(isEqual(outcome(end, parsed), outcome(parsed, end), script), false)
      assert.equal(isEqual(outcome(end, parsed), outcome(end, ['next', null, 'ab', {}]), script), false)
      assert.equal(isEqual(outcome(end, parsed), outcome(end, ['next', null, 'a', { readableFlowing: null }]), script), false)
      assert.equal(isEqual(outcome(end), outcome(end, parsed), script), false)
    })

    it('include listeners while a request is drained, but no other order of its end', () => {
      const script = scriptOf('parse', 'push', 'end')
      assert.equal(isEqual(outcome(['on', 'data'], end, tooLarge), outcome(['emit', 'readable'], end, tooLarge), script), true)
      assert.equal(isEqual(outcome(end, tooLarge), outcome(tooLarge, end), script), false)
      assert.equal(isEqual(outcome(end, tooLarge), outcome(end, parsed), script), false)
    })

    it('include requests that are paused before the parser, and not others', () => {
      assert.equal(isEqual(outcome(end, parsed), outcome(), scriptOf('pause', 'parse', 'end')), true)
      assert.equal(isEqual(outcome(end, parsed), outcome(), scriptOf('pause', 'resume', 'parse', 'end')), false)
      assert.equal(isEqual(outcome(end, parsed), outcome(), scriptOf('parse', 'pause', 'end')), false)
      assert.equal(isEqual(outcome(), outcome(end, parsed), scriptOf('pause', 'parse', 'end')), false)
    })

    it('include when next is called for a request that the app destroys', () => {
      const [close, aborted] = [['emit', 'close'], ['next', { type: 'own' }, undefined, {}]]
      assert.equal(isEqual(outcome(aborted, close), outcome(close, aborted), scriptOf('parse', 'destroy')), true)
      assert.equal(isEqual(outcome(aborted, close), outcome(close, aborted), scriptOf('destroy', 'parse')), false)
      assert.equal(isEqual(outcome(aborted, close), outcome(close, parsed), scriptOf('parse', 'destroy')), false)
    })

    it('include crashes of body-parser where an encoding is set', () => {
      const crashed = { ...outcome(), crash: 'no Buffer' }
      assert.equal(isEqual(outcome(end, parsed), crashed, scriptOf('parse', 'setEncoding', 'push', 'end')), true)
      assert.equal(isEqual(outcome(end, parsed), crashed, scriptOf('parse', 'push', 'end')), false)
      assert.equal(isEqual(crashed, crashed, scriptOf('parse', 'setEncoding', 'push', 'end')), true)
      assert.equal(isEqual(crashed, outcome(end, parsed), scriptOf('parse', 'setEncoding', 'push', 'end')), false)
    })
  })

  it('inputs are kept in files, the short ones first', () => {
    const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'inputs-'))
    try {
      for (const text of ['long one', 'one', 'one']) writeInput(folder, 'x-', Buffer.from(text))
      assert.deepEqual(readInputs(folder).map(String), ['one', 'long one'])
      assert.deepEqual(readInputs(path.join(folder, 'none')), [])
    } finally {
      fs.rmSync(folder, { recursive: true })
    }
  })

  it('figures and findings are printed with the command that repeats them', () => {
    assert.equal(figuresText('form', { executions: 12345, points: 5, all: 9, features: 7, inputs: 3 }, 10), 'form: 12,345 inputs, 1,235/s, 5 of 9 points, 7 features, 3 inputs kept')
    const text = findingText('form', { bytes: Buffer.from('\0a'), text: 'wrong', isRepeatable: false }, path.resolve('x/y'), 'form')
    assert.equal(text, 'DIFFERENCE in form (not for the same input a second time): wrong\ninput: 2 bytes, "\\u0000a"\nagain: npm run fuzz:coverage -- --filter=form --input=x/y --inject-fault=form')
  })

  it('options have defaults, and invalid ones are refused in one line', () => {
    const read = (...args) => {
      const { values } = readOptions(args, options)
      requireOneTarget(values)
      return values
    }
    const { filter, seconds, runs, fresh, input, injectFault } = read()
    assert.deepEqual({ filter, seconds, runs, fresh, input, injectFault }, { filter: names, seconds: 60, runs: Infinity, fresh: false, input: null, injectFault: null })
    assert.deepEqual(read('--filter=content-type,form', '--seed=7', '--runs=5').filter, ['content-type', 'form'])
    for (const [args, message] of [
      [['--filter=nope'], /^--filter must be some of brotli, .*, not "nope"$/],
      [['--seconds=0'], /^--seconds must be a whole number from 1 to 86400, not "0"$/],
      [['--runs=1e3'], /^--runs must be a whole number/],
      [['--seed=x'], /^--seed must be a whole number/],
      [['--inject-fault=x'], /^--inject-fault must be one of /],
      [['--input=README.md'], /^--input needs --filter with one target$/],
      [['--filter=form', '--input=/nope'], /^--input must be a file that exists, not "\/nope"$/],
      [['--nope'], /^Unknown option '--nope'; --help lists the options$/]
    ]) assert.throws(() => read(...args), (error) => error instanceof UserError && message.test(error.message), String(args))
  })
})
