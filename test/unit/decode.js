'use strict'

const assert = require('node:assert/strict')
const fc = require('fast-check')
const iconv = require('iconv-lite')
const { decoderOf, decodeNothing } = require('../../lib/decode')

describe('decode', () => {
  it("is iconv-lite's equal on any bytes", () => {
    const bytes = fc.uint8Array({ maxLength: 40 }).map((array) => Buffer.from(array))
    const marked = bytes.map((rest) => Buffer.concat([Buffer.from('\ufeff'), rest]))
    fc.assert(fc.property(fc.oneof(bytes, marked), fc.constantFrom('utf-8', 'iso-8859-1', 'utf-16le', 'windows-1252'), (buffer, charset) => {
      assert.equal(decoderOf(charset)(buffer), iconv.decode(buffer, charset))
    }), { numRuns: 2000 })
  })

  it('knows no decoder for what is no charset', () => {
    assert.equal(decoderOf('bogus'), null)
    assert.equal(decoderOf('utf-bogus'), null)
  })

  it('leaves bytes as they are', () => {
    const bytes = Buffer.from('a')
    assert.equal(decodeNothing(bytes), bytes)
  })
})
