'use strict'

// npm run fuzz -- --against=multer: random forms, options, filters and engines, through
// multer and through fast-body-parser/multer.

const anyDrawn = require('../fuzz/drawn')
const createCase = require('./case')
const { FAULTS } = require('./faults')

/** @type {import('../fuzz/run').Side} */
module.exports = {
  usage: `npm run fuzz -- --against=multer [options]

Sends random forms to random routes of multer and of fast-body-parser/multer,
and compares what an app sees: fields, files, errors, and what is left on the
disk. Differences that are meant belong to a class, of one sentence: multer is
asked about the same form in other words, or about the parts before an error,
and what it makes of that must be what is seen. Prints each class with its
shortest example; a case may need several of them.
`,
  again: 'npm run fuzz -- --against=multer',
  cases: 2000,
  faults: FAULTS,
  anyCase: anyDrawn(createCase),
  createJudge (fault) {
    const { askMulter, observe } = require('./observe')
    const judge = require('./judge')
    return async (drawn) => {
      const { seen, expected } = await observe(drawn, fault)
      const sentences = await judge(drawn, seen, expected, askMulter(drawn))
      const text = sentences?.length === 0 ? undefined : show(drawn, seen, expected)
      const met = [seen.error === undefined ? 'parsed' : seen.error.code ?? seen.error.message]
      return { rules: sentences ?? [], met, difference: sentences === null ? text : null, example: text }
    }
  },
  describe: (drawn, { difference }) => difference
}

function show ({ body, text, options, route, engine, filter, handler, hasLimitsOf }, seen, expected) {
  const handled = `handler ${handler}, limits by ${hasLimitsOf ? 'a function' : 'an object'}`
  const lines = {
    route: `${route}, ${engine}, filter ${filter}, ${handled}, ${JSON.stringify(options)}, ${body.length} pieces`,
    form: JSON.stringify(text),
    multer: JSON.stringify(expected),
    here: JSON.stringify(seen)
  }
  return Object.entries(lines).map(([name, line]) => `  ${name}: ${line.replace(/(.)\1{19,}/g, '$1...')}`).join('\n')
}
