'use strict'

const assert = require('node:assert/strict')
const {
  boolean,
  count,
  isMediaRange,
  isMediaType,
  isThenable,
  isTypePattern,
  optional,
  milliseconds,
  oneOf,
  optionalFunction,
  readBytes,
  readSize
} = require('../../lib/core/checks')
const within = require('../support/within')

describe('checks of options', () => {
  /** Warnings are given once: another copy gives them again. */
  beforeEach(() => { delete require.cache[require.resolve('../../lib/core/warnings')] })

  it('take nothing for a promise only because somebody has set Object.prototype.then', () => {
    const given = [{}, { then () {} }]
    const seen = []
    within(Object.prototype, { then () {} }, () => { seen.push(...given.map(isThenable)) })
    assert.deepEqual(seen, [false, true])
  })

  describe('readBytes', () => {
    const warnings = []
    const note = (warning) => warnings.push(warning)
    const warningsOf = async (limit) => {
      warnings.length = 0
      readBytes(limit, 'limit')
      await new Promise((resolve) => setImmediate(resolve)) // they are emitted in a tick of their own
      return warnings.map(({ code, message }) => [code, message])
    }

    before(() => process.on('warning', note))
    after(() => process.off('warning', note))

    it('falls back for undefined and null alone', () => {
      for (const value of [undefined, null]) assert.equal(readBytes(value, 'limit', 5), 5)
      assert.equal(readBytes(0, 'limit', 5), 0)
    })

    for (const [limit, bytes] of [
      ['10 mbb', 10], ['12m', 12], ['1e6', 1], ['5MiB', 5], ['1,000kb', 1], ['1.5', 1], ['1kb ', 1], ['-2 words', -2]
    ]) {
      it(`warns once that it reads "${limit}" as ${bytes} bytes, as body-parser does`, async () => {
        const message = `option limit "${limit}" is read as ${bytes} bytes: its unit should be b, kb, mb, gb, tb or pb`
        assert.deepEqual(await warningsOf(limit), [['FAST_BODY_PARSER_SIZE', message]])
        assert.deepEqual(await warningsOf(limit), [])
      })
    }

    it('warns of each option that is given such a size', async () => {
      assert.match((await warningsOf('14m'))[0][1], /^option limit "14m"/)
      readBytes('14m', 'drainLimit')
      await new Promise((resolve) => setImmediate(resolve))
      assert.match(warnings[1].message, /^option drainLimit "14m"/)
    })

    for (const limit of [
      '10', '-1', '+1', '10b', '10 B', '1 byte', '10 bytes', '1kb', '100kb', '1.5mb', '1.25mb', '-1 GB', '2tb', '1pb',
      10, 1.5
    ]) {
      it(`does not warn about ${limit}`, async () => assert.deepEqual(await warningsOf(limit), []))
    }

    it('throws, and does not warn, if there is no number', async () => {
      const refused = warningsOf('kb')
      await assert.rejects(refused, { name: 'TypeError', message: 'option limit "kb" is invalid' })
      await new Promise((resolve) => setImmediate(resolve))
      assert.deepEqual(warnings, [])
    })
  })

  const act = () => {}
  const orSix = (check) => (value, name) => check(value, name, 6)
  /** [name, check, values it takes and what it makes of them, values it refuses, what they should be] */
  const rows = [
    ['readSize', (value, name) => readSize(value, name, 5), [['1kb', 1024], [0, 0], [1.5, 1.5], [null, 5]]],
    ['count', (value, name) => count(value, name, 7),
      [[0, 0], [1, 1], [32, 32], [Infinity, Infinity], [undefined, 7], [null, 7]],
      [-1, 1.5, NaN, -Infinity, '1', true, {}], 'zero, a positive integer or Infinity'],
    ['boolean', (value, name) => boolean(value, name, true),
      [[true, true], [false, false], [undefined, true], [null, true]], [0, 1, 'true', {}], 'true or false'],
    ['optionalFunction', (value, name) => optionalFunction(value, name, null),
      [[act, act], [undefined, null], [null, null]], [0, false, '', {}], 'a function'],
    ['milliseconds', (value, name) => milliseconds(value, name, 5),
      [[0.5, 0.5], [1000, 1000], [Infinity, Infinity], [undefined, 5], [null, 5]],
      [0, -1, NaN, '5s', '5', true, 5n], 'a positive number of milliseconds'],
    ['oneOf', orSix(oneOf(['x', 'y'], 'x or y')), [['x', 'x'], ['y', 'y'], [undefined, 6], [null, 6]], ['z'],
      'x or y'],
    ['optional', orSix(optional((value) => value === 5, 'five')), [[5, 5], [undefined, 6], [null, 6]], [6], 'five']
  ]
  for (const [name, check, taken, refused = [], kind] of rows) {
    it(`${name} takes some values, falls back for others, and refuses the rest`, () => {
      for (const [value, expected] of taken) assert.equal(check(value, 'a'), expected)
      for (const value of refused) {
        assert.throws(() => check(value, 'a'), { name: 'TypeError', message: `option a must be ${kind}` })
      }
    })
  }

  it('readSize refuses a size below 0', () => {
    for (const size of [-1, -Infinity, '-1kb']) {
      assert.throws(() => readSize(size, 'a'), { name: 'TypeError', message: `option a "${size}" is invalid` })
    }
  })
})

describe('the grammar of media types', () => {
  // [value, is it a media type, a range of them, a pattern of type-is]
  for (const [value, ...expected] of [
    ['text/html', true, true, true],
    ['application/vnd.api+json', true, true, true],
    [`${'t'.repeat(127)}/${'s'.repeat(127)}`, true, true, true],
    [`${'t'.repeat(128)}/s`, false, false, false],
    [`t/${'s'.repeat(128)}`, false, false, false],
    ['text/*', false, true, true],
    ['*/*', false, true, true],
    ['*/html', false, false, true],
    ['*/*+json', false, false, true],
    ['application/*+json', false, false, true],
    ['te.xt/html', false, false, false],
    ['Text/html', false, false, false],
    ['-a/b', false, false, false],
    ['a/-b', false, false, false],
    ['text/html;q=1', false, false, false],
    ['text/html\n', false, false, false],
    ['html', false, false, false],
    ['', false, false, false],
    [['text/html'], false, false, false],
    [false, false, false, false]
  ]) {
    it(`says what ${JSON.stringify(value)} is`, () =>
      assert.deepEqual([isMediaType, isMediaRange, isTypePattern].map((is) => is(value)), expected))
  }
})
