'use strict'

// What a form may have. Decided once, when the parser is made: a number that was given stays as it is, and one that
// was not given follows from the others.

const { formatSize } = require('../../core/wording')

const KIB = 1024
const REST = 1024 * KIB // bytes for all but the files that have a size
const USUAL_PART = 512 // bytes of a delimiter and an ordinary header
const EMPTY_CONTROLS = 90 // parts that are neither field nor file: form controls without a file, and skipped files
const MAX_HEADER = 1024 * KIB // bytes, which are allocated at once
const FIELDS = { max: 100, size: 100 * KIB }
const PARTS = { max: 200, header: 16 * KIB, name: 200 }

/**
 * @typedef {object} Rule
 * @property {number} max files
 * @property {number} size bytes of each
 *
 * @typedef {object} Limits counts, and bytes; Infinity where nothing bounds them
 * @property {{ max: number, size: number }} fields
 * @property {Record<string, Rule>} files by the name of the field
 * @property {number} total bytes of all files together
 * @property {{ max: number, header: number, name: number }} parts
 * @property {number | Function} limit bytes of the whole form
 * @property {boolean} isLimitDerived the form enforces it, not what reads the body by its declared length
 *
 * @param {object} given the same; `total`, `limit`, and numbers of `fields` and `parts` may be undefined;
 *   `rules`: those of `files` that are no defaults
 * @returns {Limits}
 * @throws {TypeError} for numbers that contradict each other
 */
function createLimits (given) {
  refuseContradictions(given)
  const { files, limit, total = Infinity } = given
  const rules = Object.values(files)
  const fields = { ...FIELDS, ...definedOf(given.fields) }
  const max = Math.max(PARTS.max, fields.max + sumOf(rules, ({ max }) => max) + EMPTY_CONTROLS)
  const parts = { ...PARTS, max, ...definedOf(given.parts) }
  const isLimitDerived = limit === undefined
  return { fields, files, total, parts, limit: limit ?? deriveLimit(fields, parts, rules, given), isLimitDerived }
}

const definedOf = (values) => Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined))

const sumOf = (list, valueOf) => list.reduce((sum, item) => sum + valueOf(item), 0)

/** Room for all that was given. What has no bound of its own shares the rest. */
function deriveLimit (fields, parts, rules, given) {
  const isWhole = Number.isFinite(given.fields.max) && given.fields.size !== undefined
  return REST + sumOf([
    Number.isFinite(given.total) ? given.total : sumOf(rules, likelyBytes),
    isWhole ? fields.max * fields.size : fields.size - FIELDS.size,
    (parts.max - PARTS.max) * USUAL_PART
  ], (bytes) => Number.isFinite(bytes) ? Math.max(bytes, 0) : 0)
}

/** Where nothing bounds all files of a rule: those that have a bound, or a single one. */
const likelyBytes = ({ max, size }) => [max * size, size].find(Number.isFinite) ?? 0

/**
 * Refuses a number that apps write by mistake, as no form reaches it: a size over the limit or the total, a count over
 * that of all parts, and a total over that of all files.
 */
function refuseContradictions ({ fields, files, limit, parts, rules, total = Infinity }) {
  checkNumbers('fields', fields, { limit, parts })
  for (const [name, rule] of Object.entries(rules)) checkNumbers(`files.${name}`, rule, { limit, parts, total })
  const allFiles = sumOf(Object.values(files), ({ max, size }) => max === 0 ? 0 : max * size)
  if (isOver(total, allFiles)) {
    const size = formatSize(allFiles)
    throw unreachable('total', formatSize(total), `the rules in files allow ${size}`, `Lower total to ${size}`)
  }
  checkSize('total', total, limit)
}

/** A count of 0 turns off the size beside it. */
function checkNumbers (option, { max, size }, { limit, parts, total }) {
  if (max === 0) return
  if (isOver(max, parts.max)) {
    throw unreachable(`${option}.max`, max, `parts.max is ${parts.max}`, `Raise parts.max to at least ${max}`)
  }
  if (isOver(size, total)) {
    const [found, needed] = [`total, for all files, is ${formatSize(total)}`, formatSize(size)]
    throw unreachable(`${option}.size`, needed, found, `Raise total to at least ${needed}`)
  }
  checkSize(`${option}.size`, size, limit)
}

/** A form has more bytes than the content of its parts. */
function checkSize (option, size, limit) {
  if (!isOver(size, limit - 1)) return
  const [found, needed] = [`limit, for the whole form, is ${formatSize(limit)}`, formatSize(size)]
  throw unreachable(option, needed, found, `Raise limit to more than ${needed}`)
}

/** Infinity is no contradiction, and neither is a bound that was not given, or that a function decides. */
const isOver = (number, bound) => number !== Infinity && number > bound

const unreachable = (option, shown, found, advice) =>
  new TypeError(`option ${option} (${shown}) can never be reached: ${found}. ${advice}, or leave it out.`)

module.exports = { MAX_HEADER, createLimits }
