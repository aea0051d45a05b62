'use strict'

// Forms: tokens that mean something in them, names that nest, and as many parameters as the limits allow, or one more.

const { anyForm } = require('../../../test/support/forms')
const { anyString } = require('./text')
const { each, joined, large, oneOf, upTo } = require('./draw')

const SENTINELS = [
  'utf8=%E2%9C%93', 'utf8=%26%2310003%3B', 'utf8=%e2%9c%93', 'utf8=\u2713', 'utf8=', 'utf8', 'utf8=%E2%9C%93x',
  'utf8[]=%E2%9C%93', 'xutf8=%E2%9C%93', '%75tf8=%E2%9C%93', 'UTF8=%E2%9C%93'
]
const ENTITIES = [
  '%26%239786%3B', '%26%23128512%3B', '&#9786;', '%26#9786;', '%26%2365', '%26%23x41%3B', '%26%230%3B',
  '%26%23999999999999%3B', 'x%26%2365%3By%26%2366%3Bz', '%26amp%3B', '%26%23%3B', '%26%23-1%3B'
]
const NAMES = ['a', 'a[b]', 'a[]', 'a[0]', 'a[99]', 'a[101]', 'a[b][c]', '%C3%A9', '__proto__', 'a[__proto__]', 'a.b']

const parameter = oneOf(
  [4, joined(NAMES, '=', oneOf([1, ['', '1', 'x', '%C3%A9', '%E9', '%zz', 'a+b']], [1, ENTITIES], [1, anyString]))],
  [1, SENTINELS]
)
const few = upTo(7, parameter).map((all) => all.join('&'))

const COUNTS = [2, 5, 19, 20, 21, 99, 100, 101, 102, 200, 999, 1000, 1001, 1002]
const UNITS = ['a=#', 'a[]=#', 'a[#]=1', 'k#=1', 'a[b][]=#', '=', '', 'a[]', 'a[#][b]=1', '&', '[]=#']
const many = each(COUNTS, UNITS, upTo(2, parameter)).map(([count, unit, rest]) => {
  return [...Array.from({ length: count }, (_, i) => unit.replaceAll('#', String(i))), ...rest].join('&')
})
const DEPTHS = [0, 1, 2, 3, 4, 5, 6, 31, 32, 33, 34, 100, 1000]
const deep = each(NAMES, DEPTHS, ['[b]', '[]', '[0]', '[b', '%5Bb%5D'], upTo(2, parameter))
  .map(([first, depth, unit, rest]) => [`${first}${unit.repeat(depth)}=1`, ...rest].join('&'))
const long = joined('a=', large([1, 4, 16, 64, 100], ['x', '%41', '\u00e9', '[', '%']))

const formText = oneOf([15, few], [15, anyForm], [6, many], [4, deep], [1, long])

module.exports = { formText }
