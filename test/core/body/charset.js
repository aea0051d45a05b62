'use strict'

const assert = require('node:assert/strict')
const Module = require('node:module')
const fc = require('fast-check')
const iconv = require('iconv-lite')
const { decoderOf } = require('../../../lib/core/body/charset')

describe('charset', () => {
  it('decodes any bytes to the same text as iconv-lite', () => {
    const bytes = fc.uint8Array({ maxLength: 40 }).map((array) => Buffer.from(array))
    const marked = bytes.map((rest) => Buffer.concat([Buffer.from('\ufeff'), rest]))
    fc.assert(
      fc.property(fc.oneof(bytes, marked), fc.constantFrom('utf-8', 'iso-8859-1', 'utf-16le', 'windows-1252'),
        (buffer, charset) => {
          assert.equal(decoderOf(charset)(buffer), iconv.decode(buffer, charset))
        }),
      { numRuns: 2000 }
    )
  })

  for (const [hex, text] of [
    ['efbbbf', ''], ['efbbbf61', 'a'], ['efbb', '\ufffd'], ['ef80bf', '\uf03f'], ['efbb80', '\ufec0'],
    ['e0bbbf', '\u0eff'], ['c3bbbf', 'û\ufffd'], ['61efbbbf', 'a\ufeff']
  ]) {
    it(`removes only a whole leading byte order mark from ${hex}`, () =>
      assert.equal(decoderOf('utf-8')(Buffer.from(hex, 'hex')), text))
  }

  it('loads nothing for the two charsets of Node, as parsers of forms load no others', () => {
    const load = Module._load
    const loaded = []
    Module._load = (...args) => { loaded.push(args[0]); return load(...args) }
    try {
      for (const charset of ['utf-8', 'iso-8859-1', 'utf-16le']) decoderOf(charset)
    } finally {
      Module._load = load
    }
    assert.deepEqual(loaded, ['iconv-lite'])
  })

  it('has no decoder for an unknown charset', () => {
    assert.equal(decoderOf('bogus'), null)
    assert.equal(decoderOf('utf-bogus'), null)
  })
})
