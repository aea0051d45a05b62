'use strict'

// npm run fuzz -- --against=JSON.parse: random arrays in random pieces, read item by item.

const anyDrawn = require('../fuzz/drawn')
const drawDocument = require('./document')
const judge = require('./judge')
const read = require('./read')

/** Wrong results that the judge must find. */
const FAULTS = {
  lost: (seen) => { if (seen.items.length > 5) seen.items.pop() },
  order: (seen) => { if (seen.items.length > 5) seen.items.reverse() },
  message: (seen) => { if (seen.error?.message.includes('token')) seen.error.message += '.' },
  offset: (seen) => { if (seen.error?.type === 'entity.parse.failed') seen.error.offset++ },
  silent: (seen) => { if (seen.error?.message.includes('end')) seen.error = null }
}

/** @type {import('../fuzz/run').Side} */
module.exports = {
  usage: `npm run fuzz -- --against=JSON.parse [options]

Reads random JSON arrays, half of them broken, some below a path, some not
UTF-8, in random pieces, item by item, and compares that with JSON.parse of the
whole text: the items; or the items before the error, its message and the byte
that it names.
`,
  again: 'npm run fuzz -- --against=JSON.parse',
  cases: 100_000,
  faults: Object.keys(FAULTS),
  anyCase: anyDrawn(drawDocument),
  createJudge: (injected) => (document) => {
    const seen = read(document)
    if (injected !== null) FAULTS[injected](seen)
    const fault = judge(document, seen)
    const difference = fault === null ? null : `${fault}\n${show(document, seen)}`
    return { rules: [], met: [seen.error?.type ?? 'read'], difference }
  },
  describe: (document, { difference }) => difference
}

function show ({ bytes, cuts, most, path, sliceBytes }, { items, error }) {
  const pieces = cuts.length > 6 ? 'each byte' : cuts
  const lines = { text: bytes.toString(), path, cuts: pieces, sliceBytes, most, items, error: error?.message }
  return Object.entries(lines).map(([name, line]) => `  ${name}: ${JSON.stringify(line)}`).join('\n')
}
