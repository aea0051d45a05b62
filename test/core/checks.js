'use strict'

const assert = require('node:assert/strict')
const {
  boolean,
  count,
  isMediaRange,
  isMediaType,
  isTypePattern,
  optional,
  milliseconds,
  oneOf,
  optionalFunction,
  readBytes,
  readSize
} = require('../../lib/core/checks')

describe('checks of options', () => {
  /** Warnings are given once: another copy gives them again. */
  beforeEach(() => { delete require.cache[require.resolve('../../lib/core/warnings')] })

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

  describe('readSize', () => {
    it('reads sizes as readBytes does, and falls back as it does', () => {
      assert.deepEqual(['1kb', 0, 1.5, null].map((size) => readSize(size, 'a', 5)), [1024, 0, 1.5, 5])
    })

    it('refuses a size below 0', () => {
      for (const size of [-1, -Infinity, '-1kb']) {
        assert.throws(() => readSize(size, 'a'), { name: 'TypeError', message: `option a "${size}" is invalid` })
      }
    })
  })

  describe('count', () => {
    it('takes whole numbers and Infinity, and falls back', () => {
      assert.deepEqual([0, 1, 32, Infinity, undefined, null].map((value) => count(value, 'a', 7)),
        [0, 1, 32, Infinity, 7, 7])
    })

    it('refuses anything else', () => {
      for (const value of [-1, 1.5, NaN, -Infinity, '1', true, {}]) {
        assert.throws(() => count(value, 'a'),
          { name: 'TypeError', message: 'option a must be zero, a positive integer or Infinity' })
      }
    })
  })

  describe('boolean', () => {
    it('takes true and false, and falls back', () => {
      assert.deepEqual([true, false, undefined, null].map((value) => boolean(value, 'a', true)),
        [true, false, true, true])
    })

    it('refuses anything else', () => {
      for (const value of [0, 1, 'true', {}]) {
        assert.throws(() => boolean(value, 'a'), { name: 'TypeError', message: 'option a must be true or false' })
      }
    })
  })

  describe('optionalFunction', () => {
    it('takes a function, and falls back', () => {
      const act = () => {}
      assert.deepEqual([act, undefined, null].map((value) => optionalFunction(value, 'act', null)), [act, null, null])
    })

    it('refuses anything else', () => {
      for (const act of [0, false, '', {}]) {
        assert.throws(() => optionalFunction(act, 'act'),
          { name: 'TypeError', message: 'option act must be a function' })
      }
    })
  })

  describe('milliseconds', () => {
    it('takes a positive number, and falls back', () => {
      assert.deepEqual([0.5, 1000, Infinity, undefined, null].map((value) => milliseconds(value, 'a', 5)),
        [0.5, 1000, Infinity, 5, 5])
    })

    it('refuses anything else', () => {
      for (const value of [0, -1, NaN, '5s', '5', true, 5n]) {
        assert.throws(() => milliseconds(value, 'a'),
          { name: 'TypeError', message: 'option a must be a positive number of milliseconds' })
      }
    })
  })

  it('oneOf takes its values, and falls back', () => {
    const read = oneOf(['x', 'y'], 'x or y')
    assert.deepEqual(['x', 'y', undefined, null].map((value) => read(value, 'a', 'z')), ['x', 'y', 'z', 'z'])
    assert.throws(() => read('z', 'a'), { name: 'TypeError', message: 'option a must be x or y' })
  })

  it('kind asks its function, but not for undefined and null', () => {
    const read = optional((value) => value === 5, 'five')
    assert.deepEqual([5, undefined, null].map((value) => read(value, 'a', 6)), [5, 6, 6])
    assert.throws(() => read(6, 'a'), { name: 'TypeError', message: 'option a must be five' })
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
