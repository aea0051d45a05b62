'use strict'

const assert = require('node:assert/strict')
const fc = require('fast-check')
const qs = require('qs')
const urlencoded = require('../../../lib/types/urlencoded')
const { CASES, anyForm, assertSame, charset, oracle } = require('../../support/forms')
const parseContent = require('../../support/parse-content')
const within = require('../../support/within')

const FORM = 'application/x-www-form-urlencoded'

describe('nested', () => {
  it('passes on any other error of qs', async () => {
    const fault = new TypeError('a fault of qs')
    await within(qs, { parse () { throw fault } }, () =>
      assert.rejects(parseContent(urlencoded(), FORM, 'a[b]=1'), (error) =>
        error === fault && error.status === 400 && error.type === 'entity.parse.failed'))
  })

  it('has the result of qs for every form, charset and option', async () => {
    const flags = fc.constantFrom({}, { charsetSentinel: true, interpretNumericEntities: true })
    const all = [anyForm, charset, fc.boolean(), flags]
    await fc.assert(fc.asyncProperty(...all, async (text, charset, extended, flags) => {
      const coding = charset === 'utf-8' ? 'utf8' : 'latin1'
      const sent = Buffer.from(text, coding).toString(coding) // only what a decoder can give
      const form = flags.charsetSentinel ? sent.replace(/[^\0-\x7f]/g, '') : sent // a sentinel changes the charset
      const content = Buffer.from(form, coding)
      const value = await parseContent(urlencoded({ defaultCharset: charset, extended, ...flags }), FORM, content)
      assertSame(value, form === '' ? {} : oracle(form, charset, extended, flags))
    }), CASES)
  })
})
