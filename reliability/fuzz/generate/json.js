'use strict'

// JSON texts: valid, broken, deep, empty, with a byte order mark, and other formats. Values are made as text, so that
// there is more than one way to write each.

const fc = require('fast-check')
const { anyOf, each, int, joined, large, mostly, oneOf, upTo } = require('./draw')
const { anyString } = require('./text')

const SPACES = [' ', '\n', '\r\n', '\t', '\r', '\n\r', ' \n ']
const SCALARS = [
  '0', '-1', '1.5', '1e10', '1e-7', '-0.25', '-0', '-1e21', '9007199254740993', '12345678901234567890', 'true', 'false',
  'null', '""', '"a,b"'
]
const PIECES = [
  'a', 'é', '😀', '€', '\\"', '\\\\', '\\/', '\\n', '\\u00e9', '\\ud83d', '[', ']', '{', '}', ',', ':', 'x'.repeat(25),
  '\u2028', '$&'
]
const NAMES = ['"a"', '"b"', '"1"', '""', '"__proto__"', '"constructor"', '"toString"', '"$&"', '"é"', '"😀"']

const space = mostly('', SPACES)
const spaced = (part) => joined(space, part, space)
const string = fc.oneof(joined('"', upTo(5, PIECES), '"'), anyString.map((text) => JSON.stringify(text)))

/** @param {number} most items @param {fc.Arbitrary<string>} item */
const enclosed = (open, most, item, close) =>
  fc.array(item, { maxLength: most, size: 'max' }).map((items) => open + items.join(',') + close)

const { member, value } = fc.letrec((tie) => ({
  value: fc.oneof({ maxDepth: 3, withCrossShrink: true }, anyOf(SCALARS), string,
    enclosed('{', 3, tie('member'), '}'), enclosed('[', 3, spaced(tie('value')), ']')),
  member: joined(spaced(fc.oneof(anyOf(NAMES), string)), ':', spaced(tie('value')))
}))
const array = (most) => enclosed('[', most, spaced(value), ']')

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

module.exports = { array, enclosed, jsonText, member, spaced, value }
