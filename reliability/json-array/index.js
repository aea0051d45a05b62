'use strict'

// npm run fuzz -- --against=JSON.parse: random arrays in random pieces, read item by item.

const { describeFields } = require('../fuzz/plan-text')
const anyCase = require('./document')
const judge = require('./judge')
const read = require('./read')

/** Wrong results that the judge must find. */
const FAULTS = {
  lost: (seen) => { if (seen.items.length > 5) seen.items.pop() },
  message: (seen) => { if (seen.error?.message.includes('token')) seen.error.message += '.' },
  offset: (seen) => { if (seen.error?.type === 'entity.parse.failed') seen.error.offset++ },
  silent: (seen) => { if (seen.error?.message.includes('end')) seen.error = null }
}

/** @type {import('../fuzz/run').Side} */
module.exports = {
  what: `random JSON arrays, half of them broken, some below a path, some not UTF-8,
  in random pieces, item by item: the items; or the items before the error, its
  message and the byte that it names.`,
  again: 'npm run fuzz -- --against=JSON.parse',
  cases: 100_000,
  faults: Object.keys(FAULTS),
  anyCase,
  createJudge: (injected) => (document) => {
    const seen = read(document)
    if (injected !== null) FAULTS[injected](seen)
    const fault = judge(document, seen)
    return { rules: [], met: [seen.error?.type ?? 'read'], difference: fault && { fault, ...seen } }
  },
  describe: ({ bytes, ...document }, { difference: { error, ...difference } }) =>
    describeFields({ text: bytes.toString(), ...document, ...difference, error: error?.message })
}
