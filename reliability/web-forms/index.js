'use strict'

// npm run fuzz -- --against=middleware: random forms through multipart() of /web, and through the middleware's.

const { isDeepStrictEqual } = require('node:util')
const anyDrawn = require('../fuzz/drawn')
const { ODDLY, OF_THE_APP } = require('./app')
const createCase = require('./case')

/** What may differ: why, and whether that says why two outcomes of a case do. */
const RULES = [
  ['While the app or the disk is waited for, /web reads no more of the body, and the middleware does until it has a ' +
    'quarter of a megabyte: so of two faults, it may see one of the whole body before one of a part.', isReadAhead],
  ['When a store or a filter fails, the form goes on until its promise has told so: another error may come first.',
    isOfTheApp],
  ['An error may come before the app has read, or was asked about, what came before it; so may the end of a loop.',
    isEarly]
]
const OF_THE_BODY = ['entity.too.large', 'request.size.invalid']

function isReadAhead ({ filter, loop, store }, { error }, expected) {
  const isAwaited = store !== 'memory' || loop !== null || filter !== 'none'
  return isAwaited && (error !== undefined || loop === 'break') && OF_THE_BODY.includes(expected.error?.type)
}

function isOfTheApp (drawn, ...outcomes) {
  const errors = outcomes.map(({ error }) => error)
  return !errors.includes(undefined) && errors.some(({ code, message }) => code === OF_THE_APP || message === ODDLY)
}

/** A loop that is left leaves the filter where it is. */
function isEarly ({ loop }, { asked, taken, ...seen }, { asked: others, taken: more, ...expected }) {
  if (!isDeepStrictEqual(seen, expected) || !isBeginning(asked, others)) return false
  return seen.error === undefined ? loop === 'break' && isDeepStrictEqual(taken, more) : isBeginning(taken, more)
}

function isBeginning (...lists) {
  const [short, long] = lists.sort((one, other) => one.length - other.length)
  return isDeepStrictEqual(short, long.slice(0, short.length))
}

/** @returns {string | undefined} none if nothing explains it */
const ruleFor = (...outcomes) => RULES.find(([, explains]) => explains(...outcomes))?.[0]

/** @type {Record<string, (seen: object) => void>} */
const FAULTS = {
  field ({ fields }) {
    for (const name of Object.keys(fields ?? {}).slice(0, 1)) delete fields[name]
  },
  content ({ files }) {
    for (const file of Object.values(files ?? {}).flat()) if (file.bytes) file.bytes = file.bytes.slice(2)
  },
  error: (seen) => { if (seen.error?.status === 413) seen.error.status = 400 },
  swallowed: (seen) => { delete seen.error },
  left: (seen) => { if (seen.error !== undefined) seen.left++ },
  part: ({ taken }) => { taken?.pop() }
}

/** @type {import('../fuzz/run').Side} */
module.exports = {
  usage: `npm run fuzz -- --against=middleware [options]

Reads random forms with random options by multipart() of fast-body-parser/web,
whole or part by part, and compares that with multipart() of the middleware: the
fields, the files and what is on the disk; the error with all of its fields; and
what the app's store, filter and loop are given before it.
`,
  again: 'npm run fuzz -- --against=middleware',
  cases: 20_000,
  faults: Object.keys(FAULTS),
  anyCase: anyDrawn(createCase),
  createJudge (fault) {
    require('../../test/support/quiet-warnings')
    const observe = require('./observe')
    return async (drawn) => {
      const { seen, expected } = await observe(drawn)
      if (fault !== null) FAULTS[fault](seen)
      const rule = isDeepStrictEqual(seen, expected) ? null : ruleFor(drawn, seen, expected)
      return {
        rules: [rule ?? []].flat(),
        met: [nameOf(expected)],
        difference: rule === undefined ? { seen, expected } : null
      }
    }
  },
  describe: (drawn, { difference }) => show(drawn, difference)
}

function nameOf ({ taken, created, error, fields, hangs }) {
  if (hangs) return 'hangs'
  if (created !== undefined) return 'refused options'
  if (error !== undefined) return error.type ?? error.message ?? error.thrown
  if (fields !== undefined) return 'a form'
  return taken.length > 0 ? 'parts' : 'nothing'
}

function show ({ detect, headers, loop, options, filter, pieces, schema, store, text }, { seen, expected }) {
  const ofFiles = `store ${store}, detect ${detect}, filter ${filter}`
  const functions = `${ofFiles}, schema ${schema}, loop ${loop}, ${pieces.length} pieces`
  const lines = { options, functions, headers, form: text, middleware: expected, web: seen }
  return Object.entries(lines).map(([name, value]) => `  ${name}: ${shorten(JSON.stringify(value))}`).join('\n')
}

const shorten = (line) => line.replace(/(.)\1{19,}/g, '$1...')
