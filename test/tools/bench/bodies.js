'use strict'

const assert = require('node:assert')
const qs = require('qs')
const zlib = require('node:zlib')
const { form, json, split } = require('../../../bench/bodies')
const crafted = require('../../../bench/crafted')

describe('bench: bodies', () => {
  for (const bytes of [100, 200, 274, 300, 6558, 60000, 208500, 1048576]) {
    for (const ascii of [true, false]) {
      it(`makes JSON of ${bytes} bytes${ascii ? '' : ', not ASCII'}`, () => {
        const content = json(bytes, ascii)
        assert.strictEqual(content.bytes.length, bytes)
        assert.deepStrictEqual(JSON.parse(content.bytes), content.value)
        assert.strictEqual(content.bytes.every((byte) => byte < 128), ascii)
      })
    }
  }

  it('makes 500 records of 208 KB', () => {
    assert.strictEqual(json(208500).value.length, 500)
  })

  for (const nested of [false, true]) {
    it(`makes ${nested ? 'nested' : 'flat'} forms`, () => {
      const content = form(50, nested)
      assert.deepStrictEqual(qs.parse(content.bytes.toString()), content.value)
    })
  }

  it('splits into chunks that join again', () => {
    const { bytes } = json(1000)
    const chunks = split(bytes, 64)
    assert.deepStrictEqual(chunks.map(({ length }) => length), [...Array(15).fill(64), 40])
    assert.ok(Buffer.concat(chunks).equals(bytes))
  })

  it('crafts coded bodies that are valid and no longer than asked', () => {
    const plain = {
      brotliMaps: [zlib.brotliDecompressSync, /^a+$/],
      brotliWindow: [zlib.brotliDecompressSync, /^a+$/],
      deflateTables: [zlib.inflateSync, /^$/],
      gzipMembers: [zlib.gunzipSync, /^$/]
    }
    for (const [name, [decode, content]] of Object.entries(plain)) {
      const bytes = crafted[name](4096)
      assert.ok(bytes.length <= 4096 + 20, `${name} has ${bytes.length} bytes`)
      assert.match(decode(bytes).toString(), content)
    }
  })
})
