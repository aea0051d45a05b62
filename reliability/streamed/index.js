'use strict'

// npm run fuzz -- --against=sent: random forms, read by `store: 'stream'`, `detect`, `digest` and `contentDigest`.

const anyDrawn = require('../fuzz/drawn')
const createCase = require('./case')

/** @type {Record<string, (seen: object) => void>} */
const FAULTS = {
  field ({ fields }) {
    for (const name of Object.keys(fields ?? {}).slice(0, 1)) delete fields[name]
  },
  content ({ files }) {
    for (const file of files) if (file.all?.length > 0) file.all = file.all.subarray(1)
  },
  type ({ files }) {
    for (const file of files) file.type = file.declaredType ?? file.type
  },
  digest ({ files }) {
    for (const file of files) if (file.digest !== undefined) file.digest = file.digest.toUpperCase()
  },
  lost: ({ files }) => { files.pop() },
  taken (seen) {
    if (seen.error?.type === 'digest.mismatch') Object.assign(seen, { error: null, isWhole: true })
  },
  left: (seen) => { if (seen.error !== null) seen.left++ }
}

/** @type {import('../fuzz/run').Side} */
module.exports = {
  usage: `npm run fuzz -- --against=sent [options]

Reads random forms, with fields and files in any order, by multipart() of the
middleware and of fast-body-parser/web: from a loop over the files that reads
them wholly, partly or not, and may end early, or from memory or disk; with
random options detect, digest and contentDigest. A third of the forms are cut,
and a third have a bit that was flipped. Compares the fields, the files, their
types and digests with what was sent. Nothing that was changed may be taken.
`,
  again: 'npm run fuzz -- --against=sent',
  cases: 2000,
  faults: Object.keys(FAULTS),
  anyCase: anyDrawn(createCase),
  createJudge (fault) {
    require('../../test/support/quiet-warnings')
    const judge = require('./judge')
    const observe = require('./observe')
    return async (drawn) => {
      const seen = await observe(drawn)
      if (fault !== null) FAULTS[fault](seen)
      const faults = judge(drawn, seen)
      const { error } = seen
      const outcome = error === null ? seen.isWhole ? 'read' : 'left' : error.type ?? error.code ?? error.message
      const difference = faults.length === 0 ? null : faults.join('\n  ')
      return { rules: [], met: [`${drawn.fault} of ${drawn.store}: ${outcome}`], difference }
    }
  },
  describe ({ parts, pieces, content, ...drawn }, { difference }) {
    const text = JSON.stringify(content.toString('latin1'))
    return `  ${difference}\n  ${JSON.stringify(drawn)}\n  ${pieces.length} pieces of ${text}`
  }
}
