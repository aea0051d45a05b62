'use strict'

// Arrays of 1 MB for a loop over jsonArray, beside json() of body-parser, which
// gives no items. The app does nothing with them, so that the loop is all.

const { attackOn, list, wrap } = require('./attack')

const TARGETS = ['fast-body-parser, items', 'body-parser, whole']

/** One by one, or in lists of 500; it may take `most` times as long as JSON.parse of the whole. */
function attack (parser, kind, what, most, make) {
  const rest = { name: `${parser}-${kind}`, what, most, targets: TARGETS, expect: ['200'], allowed: ['p50', 'p99'] }
  return attackOn(parser, () => ({ pieces: [make()] }), rest)
}

/** `await` takes as long as to parse ten digits, so that small items are bounded in lists alone. */
const both = (kind, what, mostOfItems, make) =>
  [attack('items', kind, what, mostOfItems, make), attack('batches', kind, what, 3, make)]

module.exports = [
  ...both('records', '2,500 records of 400 bytes', 1.5,
    () => list('[', (index) => JSON.stringify({ id: index, note: 'x'.repeat(380) }), ']')),
  ...both('digits', '500,000 digits', 8, () => wrap('[1', ',1', ']')),
  ...both('guess', '30,000 objects that hold what looks like the next one', 3,
    () => wrap('[{"a":[0]}', ',{"a":"},{\\"a","b":[{"a":1},{"a":1}]}', ']')),
  ...both('escaped-names', '80,000 objects, each with an escaped name of its own', 4,
    () => list('[', (index) => `{"\\n${index}":1}`, ']')),
  ...both('escaped-quotes', 'an object with 100,000 escaped names', 4,
    () => list('[{', (index) => `"\\"${index}":1`, '}]'))
]
