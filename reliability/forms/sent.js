'use strict'

// npm run fuzz -- --against=sent: random forms through multipart() of the middleware and of /web.

const { isDeepStrictEqual } = require('node:util')
const { int, mostly, oneOf, record, sparse, upTo } = require('../fuzz/generate/draw')
const { describeFields } = require('../fuzz/plan-text')
const { anySizes, formOf } = require('./form')
const { ACTS, DETECTORS, observe } = require('./observe')

const RIGHT = 'multipart/form-data; boundary="§"'
const TYPES = ['multipart/form-data; boundary=b', `${RIGHT}; charset=windows-1252`, `${RIGHT}; charset=nonsense`,
  'Multipart/Form-Data; BOUNDARY="§"', 'multipart/form-data', 'multipart/form-data; boundary=c',
  'multipart/form-data; boundary=', 'multipart/mixed; boundary="§"', 'text/plain', '']

const common = {
  form: formOf(false),
  sizes: anySizes,
  arrival: oneOf([2, 'whole'], [1, ['cut', 'aborted', 'bit']]), // one that was flipped on the way
  at: int(0, 999), // thousandths of what is sent, where that happens
  isByParts: mostly(false, true, 3),
  acts: upTo(8, ['read', 'read', ...ACTS], 1), // with the files of a loop
  leaves: [false, true], // the loop
  most: int(0, 2) // files before that
}
const usual = ['memory', 'disk', 'stream', 'stream', 'stream']

/** A form is refused for what is wrong with it alone. */
const lenient = record({
  ...common,
  isLenient: true,
  type: RIGHT,
  coding: ['identity', 'identity', 'gzip'],
  length: ['declared', 'chunked'],
  given: 'right',
  options: record({
    limit: '100mb',
    fields: [{ size: '10mb' }],
    files: [{ '*': { max: 10 } }],
    digest: [undefined, 'sha256', 'md5'],
    contentDigest: ['check', 'require']
  }),
  store: usual,
  detect: DETECTORS,
  filter: 'none'
})

const strict = record({
  ...common,
  isLenient: false,
  type: mostly(RIGHT, TYPES, 3),
  coding: mostly('identity', ['gzip', 'gzip', 'deflate', 'br', 'x']),
  length: oneOf([5, ['declared', 'chunked']], [1, ['less', 'more', 'none']]),
  given: ['right', 'right', 'wrong', 'odd', 'none'],
  options: sparse({
    limit: [0, 1, 100, 1000, '10kb', '10mb'],
    fields: [{ max: 0 }, { max: 1 }, { max: 3 }, { size: 0 }, { size: 1 }, { size: 30 }, { max: 2, size: '1kb' }],
    files: [
      false, {}, { x: {} }, { x: { max: 2, size: 3 }, '*': { max: 2 } }, { '*': { max: 3, size: 30 } },
      { x: { min: 1 } }, { y: { min: 1, max: 3, types: ['image/*'] }, '*': { max: 9 } },
      { x: { max: 9, store: 'memory' }, '*': { max: 9, types: ['text/plain', 'image/png'] } }, { '*': { max: 1000 } },
      ...Array(10).fill({ '*': { max: 9 } })
    ],
    total: [0, 3, 60],
    parts: [{ max: 1 }, { max: 3 }, { header: 60 }, { name: 1 }, { name: 4 }, { max: 1000, header: '64kb' }],
    defaultCharset: ['utf-8', 'windows-1252', 'shift_jis', 'gbk'],
    drainLimit: [0, 10],
    inflate: false,
    digest: ['md5', 'sha512', 'none'],
    contentDigest: ['check', 'check', 'require', 'require', true],
    extended: true,
    depth: mostly(undefined, [0, 1, 2])
  }, 7),
  store: [...usual, ...ACTS],
  detect: DETECTORS,
  filter: ['none', 'by name']
})

/** @type {Record<string, (seen: object) => void>} */
const FAULTS = {
  field ({ fields }) {
    for (const name of Object.keys(fields ?? {}).slice(0, 1)) delete fields[name]
  },
  content ({ files }) {
    for (const file of Object.values(files ?? {}).flat()) if (file.bytes) file.bytes = file.bytes.slice(2)
  },
  digest ({ taken }) {
    for (const part of taken) if (part.digest !== undefined) part.digest = part.digest.toUpperCase()
  },
  part: ({ taken }) => { taken.pop() },
  error: ({ error }) => { if (error?.status === 413) error.status = 400 },
  swallowed: (seen) => { delete seen.error },
  changed (seen) {
    if (seen.error?.type !== 'digest.mismatch') return
    delete seen.error
    seen.isWhole = true
  },
  left: (seen) => { if (seen.error !== undefined) seen.left++ }
}

/** @type {import('../fuzz/run').Side} */
module.exports = {
  what: `random forms, by multipart() of the middleware and of fast-body-parser/web,
  whole, as a stream of files, or part by part: what the app gets, the error with
  all of its fields, and what is on the disk. Half of the forms are compared with
  what was sent as well. Some are cut, or have a bit that was flipped: nothing
  that was changed may be taken.`,
  again: 'npm run fuzz -- --against=sent',
  cases: 10_000,
  faults: Object.keys(FAULTS),
  anyCase: oneOf([1, lenient], [1, strict]),
  createJudge (fault) {
    require('../../test/support/quiet-warnings')
    const { faultsIn, ruleFor } = require('./judge-sent')
    return async (drawn) => {
      const { seen, expected } = await observe(drawn)
      if (fault !== null) FAULTS[fault](seen)
      const faults = [seen, expected].flatMap((outcome) => faultsIn(drawn, outcome))
      const rule = isDeepStrictEqual(seen, expected) ? [] : ruleFor(drawn, seen, expected)
      const isRight = faults.length === 0 && rule !== undefined
      return {
        rules: [rule ?? []].flat(),
        met: [`${drawn.isLenient ? `${drawn.arrival}: ` : ''}${nameOf(expected)}`],
        difference: isRight ? null : { faults, middleware: expected, web: seen }
      }
    }
  },
  describe: (drawn, { difference }) => describeFields({ ...drawn, ...difference })
}

function nameOf ({ created, error, fields, hangs, isWhole, taken }) {
  if (hangs) return 'hangs'
  if (created !== undefined) return 'refused options'
  if (error !== undefined) return error.type ?? error.message
  if (fields !== undefined) return isWhole ? 'a form' : 'a form, left'
  return taken.length > 0 ? 'parts' : 'nothing'
}
