'use strict'

// npm run fuzz -- --against=multer: random forms and routes, through multer and through fast-body-parser/multer.

const { record } = require('../fuzz/generate/draw')
const { describeFields } = require('../fuzz/plan-text')
const { anySizes, formOf, writeForm } = require('./form')
const { anyRoute } = require('./route')

/** @type {Record<string, (seen: object) => void>} */
const FAULTS = {
  twice: (seen) => { seen.calls++ },
  swallowed: (seen) => { if (seen.error?.message === 'Malformed part header') delete seen.error },
  code: ({ error }) => { if (error?.code === 'LIMIT_FIELD_COUNT') error.code = 'LIMIT_PART_COUNT' },
  before: ({ body, error }) => { if (error) delete body?.[Object.keys(body).findLast((name) => name !== '<null>')] },
  behind: ({ body, error }) => { if (error && body) body.behind = '1' },
  left: (seen) => { if (seen.error) seen.left++ },
  value: ({ body }) => { for (const name in body) if (body[name] === '') body[name] = '1' }
}

/** @type {import('../fuzz/run').Side} */
module.exports = {
  what: `random forms to random routes of multer and of fast-body-parser/multer:
  fields, files, errors, and what is left on the disk. After an error, multer is
  asked about the parts before it as well. Forms that multer is known to read
  otherwise are not drawn.`,
  again: 'npm run fuzz -- --against=multer',
  cases: 2000,
  faults: Object.keys(FAULTS),
  anyCase: record({ form: formOf(true), route: anyRoute, sizes: anySizes }),
  createJudge (fault) {
    const { judge, observe } = require('./judge-multer')
    return async (drawn) => {
      const seen = await observe(drawn)
      if (fault !== null) FAULTS[fault](seen)
      const sentences = await judge(drawn, seen)
      const met = [seen.error === undefined ? 'parsed' : seen.error.code ?? seen.error.message]
      return { rules: sentences ?? [], met, difference: sentences === null ? seen : null }
    }
  },
  describe: ({ form, ...drawn }, { difference: seen }) => describeFields({ ...drawn, form: writeForm(form), seen })
}
