'use strict'

const assert = require('node:assert/strict')
const fc = require('fast-check')
const qs = require('qs')
const urlencoded = require('../../../lib/types/urlencoded')
const { CASES, anyForm, assertSame, charset, oracle } = require('../../support/forms')
const parseContent = require('../../support/parse-content')
const within = require('../../support/within')

const FORM = 'application/x-www-form-urlencoded'

function parse (text, options, type = FORM) {
  return parseContent(urlencoded(options), type, Buffer.from(text, type.includes('8859') ? 'latin1' : 'utf8'))
}

describe('nested', () => {
  it('passes on any other error of qs', async () => {
    const fault = new TypeError('a fault of qs')
    await within(qs, { parse () { throw fault } }, () => assert.rejects(parse('a[b]=1'), (error) =>
      error === fault && error.status === 400 && error.type === 'entity.parse.failed'))
  })

  it('has the result of qs for every form', async () => {
    await fc.assert(fc.asyncProperty(anyForm, fc.boolean(), async (text, extended) => {
      const sent = Buffer.from(text).toString() // without lone surrogates
      assertSame(await parse(sent, { extended }), oracle(sent, 'utf-8', extended))
    }), { numRuns: Math.ceil(CASES.numRuns / 3) })
  })

  it('has the result of qs for every form in ISO-8859-1', async () => {
    await fc.assert(fc.asyncProperty(anyForm, fc.boolean(), async (text, extended) => {
      const latin1 = Buffer.from(text, 'latin1').toString('latin1')
      assertSame(await parse(latin1, { extended }, `${FORM}; charset=iso-8859-1`),
        oracle(latin1, 'iso-8859-1', extended))
    }), { numRuns: Math.ceil(CASES.numRuns / 3) })
  })

  it('has the result of qs with a charset sentinel and numeric entities', async () => {
    const flags = { charsetSentinel: true, interpretNumericEntities: true }
    await fc.assert(fc.asyncProperty(anyForm, charset, async (text, defaultCharset) => {
      const latin1 = Buffer.from(text, 'latin1').toString('latin1').replace(/[\x80-\xff]/g, '')
      assertSame(await parse(latin1, { ...flags, defaultCharset }), oracle(latin1, defaultCharset, false, flags))
    }), { numRuns: Math.ceil(CASES.numRuns / 3) })
  })
})
