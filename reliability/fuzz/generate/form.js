'use strict'

// Forms: names that nest, names that mean something to JavaScript, malformed
// escapes, and as many parameters as the limits allow, or one more.

const { anyString } = require('./text')
const { each, joined, large, oneOf, upTo } = require('./draw')

const NAMES = [
  'a', 'b', 'a', 'b', '', 'utf8', '__proto__', 'hasOwnProperty', 'constructor', 'prototype', 'toString', 'length',
  '0', '1', 'a.b', 'a,b', 'a;b', '%61', '%C3%A9', '\u00e9', 'a+b', '%', '%5', '%zz', '%00', '%E2%9C', '%FF',
  '\u{1f600}', 'null', '$', "'", '"'
]
const KEYS = [
  '', '0', '1', '2', '5', '19', '20', '21', '99', '100', '101', '-1', '01', '1.5', '1e1', 'b', 'c', '__proto__',
  'hasOwnProperty', 'constructor', 'length', '%5B', '%5D', '%', ' ', '+', '=', 'x]', '[x', '4294967295', '9999999999'
]
const VALUES = [
  '', '1', '2', 'x', 'a b', 'a+b', '%20', '%2B', '%26', '%3D', '%', '%%', '%4', '%zz', '%C3%A9', '%C3', '%E9',
  '%E2%9C%93', '%u2713', '%00', '%FF%FE', '%F0%9F%98%80', '%ED%A0%80', '\u00e9', '\u2713', '\u{1f600}', '\ud800',
  'a=b', '=', '==', 'a,b', ',', 'a;b', '%2C', '__proto__', '[]', 'a[b]', ']=', '%5B%5D', '\n', '\0', '\ufeff', '$&',
  'null', 'undefined', '+', '++1', '%2525'
]
const ENTITIES = [
  '%26%239786%3B', '%26%23128512%3B', '&#9786;', '%26#9786;', '%26%2365%3B', '%26%2365', '%26%23x41%3B', '%26%230%3B',
  '%26%231114112%3B', '%26%23999999999999%3B', 'x%26%2365%3By%26%2366%3Bz', '%26amp%3B', '%26%23%3B', '%26%23-1%3B'
]
const SENTINELS = [
  'utf8=%E2%9C%93', 'utf8=%26%2310003%3B', 'utf8=%e2%9c%93', 'utf8=%26%2310003%3b', 'utf8=\u2713', 'utf8=', 'utf8',
  'utf8=1', 'utf8=%E2%9C%93x', 'utf8[]=%E2%9C%93', 'xutf8=%E2%9C%93', '%75tf8=%E2%9C%93', 'UTF8=%E2%9C%93'
]

const open = oneOf([5, '['], [1, ['%5B', '%5b', '[[', '', 'x[']])
const close = oneOf([5, ']'], [1, ['%5D', '%5d', ']]', '', ']x']])
const path = joined(NAMES, upTo(4, joined(open, KEYS, close)))
const value = oneOf([6, VALUES], [1, ENTITIES], [1, anyString])
const equals = oneOf([9, '='], [1, ['', '==', '%3D', '&', ' = ']])

const parameter = oneOf(
  [6, joined(NAMES, equals, value)],
  [6, joined(path, equals, value)],
  [1, SENTINELS],
  [
    1,
    ['', '&', '=', '[]=1', '[a]=1', '[]', '[', ']', ']=', '=1', '[]=1&[]=2', 'a[]=1&a[]=2', 'a=1&a=2&a=3', '?a=1', '#',
      'a[b]=1&a=2&a=3', 'a=1&a[b]=2', 'a[0]=1&a[b]=2']
  ],
  [1, joined(upTo(16, [...'a=&[]%265BD+;.\u00e9']))]
)
const few = upTo(7, parameter).map((all) => all.join('&'))

const COUNTS = [2, 5, 10, 19, 20, 21, 22, 99, 100, 101, 102, 200, 999, 1000, 1001, 1002]
const UNITS = [
  'a=#', 'a[]=#', 'a[#]=1', 'a[#]=#', 'k#=1', 'a[b][]=#', '=', '', 'a[]', 'a[#][b]=1', '&', '[]=#', '[#]=1'
]
const many = each(COUNTS, UNITS, upTo(2, parameter)).map(([count, unit, rest]) => {
  return [...Array.from({ length: count }, (_, i) => unit.replaceAll('#', String(i))), ...rest].join('&')
})
const DEPTHS = [0, 1, 2, 3, 4, 5, 6, 7, 30, 31, 32, 33, 34, 100, 1000]
const deep = each(NAMES, DEPTHS, ['[b]', '[]', '[0]', '[b', '%5Bb%5D'], upTo(2, parameter))
  .map(([first, depth, unit, rest]) => [`${first}${unit.repeat(depth)}=1`, ...rest].join('&'))
const long = joined('a=', large([1, 4, 16, 64, 100], ['x', '%41', '\u00e9', '[', '%']))

const formText = oneOf([30, few], [6, many], [4, deep], [1, long])

module.exports = { formText }
