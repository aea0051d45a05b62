'use strict'

// Brackets in the names of fields.

const assert = require('node:assert/strict')
const { addNested } = require('../../../lib/uploads/multer/nest')
const { agree, agreed, any, field, form } = require('../../support/multer-rows')

const NAMES = [
  'a[b][]', 'a[]', 'a[0]', 'a[0][b]', 'a[][b]', 'a[b', 'a[b[c]', 'a[[0]', 'a[[]', 'a[b[c]]', 'a]b', 'a]b[c]', 'a[]b',
  '[a]', '[]', 'a[b]c', 'a[__proto__]', '__proto__', 'a[constructor][prototype][x]', 'a.b', 'a[-1]', 'a[01]', 'a[1e3]',
  'a[ ]', 'a[b ][c]', 'a[[b]]', 'a[b][c]d', 'a[1000]', 'toString',
  'hasOwnProperty', 'a[toString]', 'a[length]', 'a[4294967295]', 'a[99999999999]', 'a[99999999999999999999999]',
  '__proto__[x]', 'a[__proto__][x]', 'a[][]', 'a[][b][]', 'a[0][1]', 'a[b][0]', 'a[b]\tc', ' a', 'a [b]', 'a[\t]'
]
const PAIRS = [
  ['a', 'a[]'], ['a[]', 'a'], ['a', 'a[b]'], ['a[b]', 'a'], ['a[b]', 'a[]'], ['a[]', 'a[b]'], ['a[0]', 'a[]'],
  ['a[]', 'a[0]'], ['a[0]', 'a[0]'], ['a[1]', 'a[x]'], ['a[x]', 'a[1]'], ['a[b]', 'a[b]'], ['a[b]', 'a[b][c]'],
  ['a[b][c]', 'a[b]'], ['a', 'a[0]'], ['a[0]', 'a'],
  ['a[b][]', 'a[b][]'], ['a[][b]', 'a[][c]'], ['a[0]', 'a[0][b]'], ['a[length]', 'a[0]'], ['a[0]', 'a[length]'],
  ['a[0]', 'a[__proto__]'], ['a[]', 'a[push]'], ['a[2]', 'a[]'], ['a[0][b]', 'a[0][c]'], ['a', 'a[b][c]'],
  ['a[]', 'a[b][c]'], ['a[b]', 'a[0]'], ['a[]', 'a[][b]'], ['a[b][0]', 'a[b][x]'], ['a[b][]', 'a[b]']
]

describe('multer: names of fields', () => {
  it('nest', async () => {
    const { body } = await agreed({ body: form(field('a[b][]'), field('a[b][]', '2'), field('c[1][d]')), make: any() })
    assert.deepEqual(body, {
      '<null>': true,
      a: { '<null>': true, b: ['1', '2'] },
      c: { '<sparse>': 2, 1: { '<null>': true, d: '1' } }
    })
  })

  it('take no memory for indices without an entry', () => {
    const before = process.memoryUsage().heapUsed
    const fields = Object.create(null)
    for (let i = 0; i < 5000; i++) addNested(fields, `a${i}[1000]`, '1')
    const bytes = process.memoryUsage().heapUsed - before
    assert.equal(fields.a4999.length, 1001)
    assert.ok(bytes < 20e6, `${bytes} bytes`) // 60 MB, if all indices take memory
  })

  it('take linear time with indices beyond those of an array', () => {
    const before = process.cpuUsage()
    const fields = Object.create(null)
    for (let i = 0; i < 50_000; i++) addNested(fields, 'a[]', '1')
    for (let i = 0; i < 50_000; i++) addNested(fields, `a[${2 ** 32 + i}]`, '1')
    const { user } = process.cpuUsage(before)
    assert.equal(fields.a.length, 50_000)
    assert.ok(user < 2e6, `${user} us`)
  })

  agree(Object.fromEntries(NAMES.map((name) => [name, [form(field(name))]])))
  agree(Object.fromEntries(PAIRS.map(([first, second]) =>
    [`${first} and ${second}`, [form(field(first), field(second, '2'), field(first, '3'))]])))
})
