'use strict'

// What past security advisories of body-parser, and of what it and we build
// on, were about: where we stand. SECURITY.md tells what each was.

const assert = require('node:assert/strict')
const manifest = require('../../package.json')
const { table } = require('../support/table')

const FORM = { 'Content-Type': 'application/x-www-form-urlencoded' }

/** An extended form, unless it says otherwise. */
function form (it, body, expect, options = { extended: true }) {
  return { it, parser: 'urlencoded', options, headers: FORM, body, expect, arrivals: ['together'] }
}

const times = (count, text) => Array(count).fill(text).join('&')
const tooMany = { error: { status: 413, type: 'parameters.too.many' } }
const tooDeep = { error: { status: 400, type: 'querystring.parse.rangeError' } }

describe('advisories', () => {
  describe('of body-parser', () => {
    table([
      form('CVE-2024-45590: refuses a form of many levels', `a${'[b]'.repeat(30_000)}=1`, tooDeep),
      form('CVE-2024-45590: does not nest a form by itself', `a${'[b]'.repeat(1000)}=1`, { body: { [`a${'[b]'.repeat(1000)}`]: '1' } }, {}),
      form('CVE-2025-13466: refuses thousands of parameters within the limit', times(25_000, 'a=1'), tooMany),
      form('CVE-2025-13466: refuses them in a simple form', times(25_000, 'a=1'), tooMany, {})
    ])
  })

  describe('of qs', () => {
    table([
      form('CVE-2014-7191: makes no array of an index in the millions', 'a[100000000]=1', { body: { a: { 100000000: '1' } } }),
      form('CVE-2014-10064: refuses a form of many levels', `a${'[b]'.repeat(33)}=1`, tooDeep),
      form('CVE-2017-1000048: keeps names of Object.prototype to the form', 'toString=1&a[hasOwnProperty]=2&]=toString',
        { body: { toString: '1', a: { hasOwnProperty: '2' }, ']': 'toString' } }),
      form('CVE-2022-24999: drops __proto__, at any level', '__proto__[x]=1&a[__proto__]=b&a[__proto__]&a[length]=100000000',
        { body: { a: { length: '100000000' } } }),
      form('CVE-2022-24999: drops __proto__ from a simple form', '__proto__=1&a[__proto__]=b', { body: { 'a[__proto__]': 'b' } }, {}),
      form('CVE-2025-15284: makes no longer array of [] than there are parameters', times(1000, 'a[]=1'), { body: { a: Array(1000).fill('1') } }),
      form('CVE-2025-15284: refuses more of [] than parameterLimit', times(1001, 'a[]=1'), tooMany),
      form('CVE-2026-2391: reads no list out of commas', `a=${','.repeat(5000)}`, { body: { a: ','.repeat(5000) } })
    ])

    it('leave Object.prototype alone', () => {
      assert.equal({}.x, undefined)
      assert.equal({}.toString(), '[object Object]')
    })
  })

  describe('of debug', () => {
    it('CVE-2025-59144: the version that was not its author\'s is out of range', () => {
      assert.equal(manifest.dependencies.debug, '^4.4.3') // it was 4.4.2
    })
  })
})
