'use strict'

const assert = require('node:assert/strict')
const { readCommon, readDefaultCharset, readDepth, readFormCharset, readParameterLimit } = require('../../lib/options')

describe('options, read', () => {
  it('have defaults', () => {
    for (const options of [undefined, null, {}, 5, 'text']) {
      assert.deepEqual(readCommon(options, 'a/b'), { buffered: false, codingLists: false, drainLimit: 64 * 1024 * 1024, inflate: true, limit: 102400, rawBody: false, type: 'a/b', verify: undefined })
      assert.equal(readDefaultCharset(options), 'utf-8')
      assert.equal(readFormCharset(options), 'utf-8')
      assert.equal(readParameterLimit(options), 1000)
      assert.equal(readDepth(options), 32)
    }
  })

  it('are taken as given', () => {
    const verify = () => {}
    assert.deepEqual(readCommon({ buffered: true, drainLimit: '1mb', inflate: false, limit: '1.5kb', rawBody: true, type: ['x'], verify }, 'a/b'), { buffered: true, codingLists: false, drainLimit: 1024 * 1024, inflate: false, limit: 1536, rawBody: true, type: ['x'], verify })
    assert.equal(readDefaultCharset({ defaultCharset: 'KOI8-R' }), 'KOI8-R')
    assert.equal(readFormCharset({ defaultCharset: 'iso-8859-1' }), 'iso-8859-1')
  })

  for (const [value, limit] of [[10.9, 10], ['10', 10], [true, 1], [Infinity, Infinity], ['Infinity', Infinity], [2 ** 32 + 1, 1], [2 ** 31, -(2 ** 31)]]) {
    it(`make ${limit} of parameterLimit ${typeof value} ${value}`, () => assert.equal(readParameterLimit({ parameterLimit: value }), limit))
  }

  for (const [value, depth] of [[0, 0], [1.5, 1.5], [Infinity, Infinity], [false, 0], ['3', 5], [true, 5], [null, 5], ['', 5]]) {
    it(`make ${depth} of depth ${typeof value} ${value}`, () => assert.equal(readDepth({ depth: value }), depth))
  }

  it('are read once', () => {
    const json = require('../../lib/types/json')
    const urlencoded = require('../../lib/types/urlencoded')
    for (const factory of [json, urlencoded]) {
      const seen = []
      const options = new Proxy({}, { get (_, name) { seen.push(name) } })
      const parser = factory(options)
      const count = seen.length
      assert.equal(new Set(seen).size, count, `each option once: ${seen}`)
      parser({ headers: {}, complete: false, socket: { readable: true } }, {}, () => {})
      assert.equal(seen.length, count)
    }
  })
})
