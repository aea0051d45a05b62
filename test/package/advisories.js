'use strict'

// Past security advisories of body-parser and of its dependencies, tried against
// this package. SECURITY.md describes each.

const assert = require('node:assert/strict')
const manifest = require('../../package.json')
const { table } = require('../support/table')

const FORM = { 'Content-Type': 'application/x-www-form-urlencoded' }

/** A row for a form, extended by default. */
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
      form('CVE-2024-45590: does not nest a form by default', `a${'[b]'.repeat(1000)}=1`, { body: { [`a${'[b]'.repeat(1000)}`]: '1' } }, {}),
      form('CVE-2025-13466: refuses thousands of parameters within the limit', times(25_000, 'a=1'), tooMany),
      form('CVE-2025-13466: refuses thousands of parameters in a simple form', times(25_000, 'a=1'), tooMany, {})
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
      form('CVE-2025-15284: makes an array of as many [] as parameterLimit allows', times(1000, 'a[]=1'), { body: { a: Array(1000).fill('1') } }),
      form('CVE-2025-15284: refuses more of [] than parameterLimit', times(1001, 'a[]=1'), tooMany),
      form('CVE-2026-2391: does not read commas as a list', `a=${','.repeat(5000)}`, { body: { a: ','.repeat(5000) } })
    ])

    it('left Object.prototype unchanged by the forms above', () => {
      assert.equal({}.x, undefined)
      assert.equal({}.toString(), '[object Object]')
    })
  })

  describe('of debug', () => {
    it('CVE-2025-59144: the compromised version is out of range', () => {
      assert.equal(manifest.dependencies.debug, '^4.4.3') // it was 4.4.2
    })
  })
})
