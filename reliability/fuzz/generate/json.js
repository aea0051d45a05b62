'use strict'

// JSON texts: valid, broken, deep, empty, with a byte order mark, and other
// formats.

const fc = require('fast-check')
const { anyOf, each, int, joined, large, oneOf, upTo } = require('./draw')
const { array, enclosed, member, spaced, value } = require('./json-value')

const CURIOUS = [
  '', ' ', '\t\r\n', '{}', '[]', '\ufeff', '\ufeff{}', '\ufeff\ufeff{}', ' \ufeff{}', '\u00a0{}', '\v[]', '\f{}',
  '\u2028{}', '\0{}', '{}\0', 'null', 'true', '0', '"text"', 'NaN', '[1e999]', '{"__proto__":{"x":1}}',
  '{"a":{"__proto__":[]}}', '{"constructor":{"prototype":{"x":1}}}', '{"a":1,"a":2}', '{"2":1,"1":2}', '{"":""}',
  '["\ud800"]', '\ud800', '\udc00{}', '[0.1e1, 9007199254740993, 1.7976931348623157e309]', '[01]', '[1,]', '{a:1}',
  '{"a"}', '{}{}', '/**/{}', '["\n"]', '#', '##', '#{}', ' #', '$&', "$'", '$`', '$$', '[$&]', '["a$&b$$c]', '$1{}',
  'a=1', '<xml/>', 'nullx', '\u007f', '\u0080', ')]}\',\n{}'
]

const TOKENS = ['{', '}', '[', ']', ':', ',', '"', '"a"', '"b":', '1', '-', '0', '.5', 'e9', 'true',
  'null', ' ', '\n', '\t', '\\', '\\u', 'd83d', '#', '$&', '$', "'", '\u00e9', '\u{1f600}', '\ufeff', '\u2028',
  '\ud800', '\0', 'x']
const soup = joined(upTo(14, TOKENS))
const container = fc.oneof(array(5), enclosed('{', 5, member, '}'))
const deep = each(int(1, 500), int(-2, 1), [['[', ']'], ['{"a":', '}'], ['[[', ']]']])
  .map(([depth, off, [open, close]]) =>
    `${open.repeat(depth)}${open.endsWith(':') ? 1 : ''}${close.repeat(Math.max(0, depth + off))}`)
const long = large([1, 2, 4, 16, 64, 100, 250], ['x', '\u00e9', '1,', '{},'])
  .map((text) => text.endsWith(',') ? `[${text}0]` : `{"a":"${text}"}`)
const cut = each(container, int(0, 999)).map(([text, at]) => text.slice(0, text.length * at / 1000))
const blanks = joined(upTo(4, [' ', '\t', '\n', '\r', '\ufeff', '\u00a0', '\v']))

const jsonText = oneOf(
  [10, container],
  [5, spaced(value)],
  [10, CURIOUS],
  [5, joined(blanks, fc.oneof(container, soup, anyOf(CURIOUS)), blanks)],
  [6, soup],
  [3, cut],
  [2, deep],
  [1, long]
)

module.exports = { jsonText }
