'use strict'

// Values of JSON. They are made as text, so that there is more than one way to write each.

const fc = require('fast-check')
const { anyOf, joined, mostly, upTo } = require('./draw')
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

module.exports = { array, enclosed, member, spaced, value }
