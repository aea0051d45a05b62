'use strict'

// Brackets in the names of fields.

const assert = require('node:assert/strict')
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

  agree(Object.fromEntries(NAMES.map((name) => [name, [form(field(name))]])))
  agree(Object.fromEntries(PAIRS.map(([first, second]) =>
    [`${first} and ${second}`, [form(field(first), field(second, '2'), field(first, '3'))]])))
})
