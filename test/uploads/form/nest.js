'use strict'

// Option `extended` of multipart, beside multer and urlencoded.

const assert = require('node:assert/strict')
const fc = require('fast-check')
const multer = require('multer')
const qs = require('qs')
const { multipart } = require('../../../')
const createNest = require('../../../lib/uploads/form/nest')
const { form, upload } = require('../../support/upload')

const plain = (body) => JSON.parse(JSON.stringify(body)) // multer's has no prototype

// [names of fields whose values are 1, 2, ..., req.body, that of multer if it differs]
const rows = [
  [['items[0].name', 'items[0].qty'], { 'items[0].name': '1', 'items[0].qty': '2' }],
  [['items[0][name]', 'items[0].qty', 'items[0][qty]'], { items: [{ name: '1', qty: '3' }], 'items[0].qty': '2' }],
  [['a[b]c[d]', 'a[b].c[d].e'], { 'a[b]c[d]': '1', 'a[b].c[d].e': '2' }],
  [['a[]b', 'a[]'], { a: ['2'], 'a[]b': '1' }],
  [['a[b', 'a[', 'a]', 'a'], { 'a[b': '1', 'a[': '2', 'a]': '3', a: '4' }],
  [['a[b][', 'a[b] '], { 'a[b][': '1', 'a[b] ': '2' }],
  [['[a]', '[a][b]', '[]', 'a'], { '[a]': '1', '[a][b]': '2', '[]': '3', a: '4' }],
  [['a.b', 'a.b[c]'], { 'a.b': ['1', { c: '2' }] }, { 'a.b': { '': '1', c: '2' } }],
  [['a[b][c]', 'a[b][d]', 'e[]', 'e[]', 'f[0]', 'f[1]'],
    { a: { b: { c: '1', d: '2' } }, e: ['3', '4'], f: ['5', '6'] }],
  [['a', 'a[]', 'a[]'], { a: ['1', '2', '3'] }],
  [['a[[b]]'], { 'a[[b]]': '1' }],
  [['a[][b]', 'a[][c]'], { a: [{ b: '1', c: '2' }] }, { 'a[][b]': '1', 'a[][c]': '2' }],
  [['a[toString].b', 'constructor[a]b'], { 'a[toString].b': '1', 'constructor[a]b': '2' }]
]

/** Names and values that lead to one place in another order, or by other keys: what chance meets in most runs alone. */
const SHARED = [
  [['a', 'x'], ['a[]', 'y']],
  [['a', 'x'], ['a[]', ['y', 'z']]],
  [['a', 'x'], ['a[b]', 'y']],
  [['a', 'x'], ['a[0]', 'y'], ['a[101]', 'z']],
  [['a[b]', 'x'], ['a', 'y']],
  [['a[b]', 'x'], ['a', '']],
  [['a[0][b]', 'x'], ['a[0]', 'y']],
  [['a[0]', 'x'], ['a[0][b]', 'y'], ['a', 'z']],
  [['a[b]', 'x'], ['a', ['y', 'z']]],
  [['a[101]', 'x'], ['a', 'y'], ['a[]', 'z']]
]

describe('names that nest', () => {
  for (const [names, expected, ofMulter = expected] of rows) {
    it(`are read of ${names.join(', ')}`, async () => {
      const body = form(...names.map((name, i) => [name, String(i + 1)]))
      const seen = await upload(multipart({ extended: true }), body)
      const beside = await upload(multer().none(), body)
      assert.deepEqual([seen.error, seen.body], [undefined, expected])
      assert.deepEqual([beside.error, plain(beside.body)], [undefined, ofMulter])
    })
  }

  it('are refused if they nest too deep, and kept if they do not nest', async () => {
    const parser = multipart({ extended: true, depth: 1 })
    assert.equal((await upload(parser, form(['a[b][c]', '1']))).error.type, 'querystring.parse.rangeError')
    assert.deepEqual((await upload(parser, form(['a[b][c].d', '1']))).body, { 'a[b][c].d': '1' })
    assert.deepEqual((await upload(multipart({ extended: true, depth: 0 }), form(['a[b]', '1']))).body, { 'a[b]': '1' })
  })

  const piece = fc.constantFrom('a', 'b', '[', ']', '[a]', '[b]', '[]', '[0]', '[1]', '.', 'toString')
  const anyName = fc.array(piece, { minLength: 1, maxLength: 6 }).map((pieces) => pieces.join(''))
  const anyFields = fc.uniqueArray(anyName, { maxLength: 6 }).map((names) =>
    Object.fromEntries(names.map((name, i) => [name, `value ${i}`])))
  const nest = createNest({ extended: true, depth: 32, parameterLimit: undefined })

  it('lose nothing, in any form', () => {
    fc.assert(fc.property(anyFields, (fields) => {
      const paths = new Map(pathsOf(nest(fields, Object.keys(fields).length)))
      assert.equal(paths.size, Object.keys(fields).length)
      for (const [name, value] of Object.entries(fields)) {
        const path = [...paths.get(value)]
        if (path[0] === name) continue
        for (const segment of name.match(/[^[\]]+/g)) {
          if (/^\d+$/.test(segment)) continue // of an array: another one if items before it lack
          while (path.length > 0 && path[0] !== segment) path.shift()
          assert.equal(path.shift(), segment, name)
        }
      }
    }), { numRuns: 1000 })
  })

  it('nest as qs nests them, if none of them has anything besides closed brackets', () => {
    const segment = fc.oneof(fc.constantFrom('[a]', '[b]', '[]', '[0]', '[1]'), fc.constantFrom('[2]', '[99]', '[100]',
      '[101]', '[5000]', '[4294967295]', '[9007199254740993]', '[01]', '[-1]', '[1e3]', '[7.5]', '[ ]', '[toString]'))
    const segments = fc.array(segment, { maxLength: 4 })
    const first = fc.constantFrom('a', 'b', 'a.b', '5')
    const whole = fc.tuple(first, segments).map(([first, rest]) => first + rest.join(''))
    const value = fc.oneof(fc.constantFrom('', 'x', 'y'), fc.array(fc.constantFrom('', 'z'), { minLength: 2 }))
    fc.assert(fc.property(fc.uniqueArray(fc.tuple(whole, value), { maxLength: 8, selector: ([name]) => name }),
      (entries) => {
        const fields = Object.fromEntries(entries)
        const count = entries.flatMap(([, value]) => value).length
        const expected = qs.parse(fields, { allowPrototypes: true, arrayLimit: 100, depth: 32 })
        const seen = nest(fields, count)
        assert.deepEqual(seen, expected)
        assert.equal(JSON.stringify(seen), JSON.stringify(expected))
      }), { examples: SHARED.map((entries) => [entries]), numRuns: 400 })
  })
})

/** Value -> the keys that lead to it. */
function pathsOf (value, path = []) {
  if (typeof value === 'string') return [[value, path]]
  return Object.keys(value).flatMap((key) => pathsOf(value[key], [...path, key]))
}
