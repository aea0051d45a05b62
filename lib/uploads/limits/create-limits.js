'use strict'

// What a form may have, once, when the parser is made: a number that was given
// stays as it is, one that was not follows from those.

const { Buffer } = require('../../core/platform')
const { MAX_HEADER, Reach, bytesOf, filesFor, sumOf } = require('./reach')

const KIB = 1024
const ROOM = 1024 * KIB // bytes for all but the files that have a size
const PER_PART = 512 // bytes of a delimiter and an ordinary header, for each part beyond the default
const EMPTY_CONTROLS = 90 // parts that are neither field nor file: form controls without a file, and skipped files
const INDEX = 20 // characters: `photos[0]` has the rule of `photos`
const NAME_ROOM = 4 * KIB // bytes of a header beside a long name
const FIELDS = { max: 100, size: 100 * KIB }
const PARTS = { max: 200, header: 16 * KIB, name: 200 }

/**
 * @typedef {object} Rule
 * @property {number} min files
 * @property {number} max files
 * @property {number} size bytes of each
 *
 * @typedef {object} Limits counts, and bytes; Infinity where nothing bounds them
 * @property {{ max: number, size: number }} fields
 * @property {Record<string, Rule>} files by the name of the field
 * @property {number} total bytes of all files together
 * @property {{ max: number, header: number, name: number }} parts
 * @property {number | Function} limit bytes of the whole form
 * @property {boolean} isLimitDerived the limit bounds memory and disk, but never names the error where a rule does
 *
 * @param {object} given the same; `total`, `limit`, and numbers of `fields` and `parts` may be undefined;
 *   `rules`: those of `files` that are no defaults
 * @returns {Limits}
 * @throws {TypeError} for a number that was given and no form can reach
 */
function createLimits (given) {
  const { files, limit, total = Infinity } = given
  const sums = sumsOf(files, total)
  const fields = { ...FIELDS, ...definedOf(given.fields) }
  const parts = createParts(definedOf(given.parts), fields, sums)
  const limits = { fields, files, total, parts, limit: limit ?? Infinity }
  new Reach(given, limits).check()
  if (limit !== undefined) return { ...limits, isLimitDerived: false }
  return { ...limits, limit: deriveLimit(limits, sums, given), isLimitDerived: true }
}

const definedOf = (values) => Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined))

/** Of all rules together. */
function sumsOf (files, total) {
  const rules = Object.values(files)
  return {
    max: sumOf(rules, ({ max }) => max),
    count: EMPTY_CONTROLS + sumOf(rules, countToReach) + finiteOf(filesFor(total, rules)),
    bytes: total === Infinity ? sumOf(rules, bytesToReach) : Math.min(total, sumOf(rules, bytesOf)),
    longestName: Math.max(0, ...Object.keys(files).map((name) => Buffer.byteLength(name)))
  }
}

/** Where nothing bounds them: those that are required. */
const countToReach = ({ min, max }) => finiteOf(max) || min

/** Where nothing bounds all files: those that have a bound, or a single one. */
const bytesToReach = ({ max, size }) => [max * size, size].find(Number.isFinite) ?? 0

const finiteOf = (number) => Number.isFinite(number) ? number : 0

function createParts (given, fields, files) {
  const max = Math.max(PARTS.max, fields.max + files.max + EMPTY_CONTROLS)
  const name = Math.max(PARTS.name, files.longestName + INDEX)
  const longest = Number.isFinite(given.name) ? given.name : name
  const header = Math.min(Math.max(PARTS.header, longest + NAME_ROOM), MAX_HEADER)
  return { max, header, name, ...given }
}

/** Room for all that was given. What has no bound of its own shares the rest. */
function deriveLimit ({ fields, parts }, files, given) {
  const isWhole = Number.isFinite(given.fields.max) && given.fields.size !== undefined
  return ROOM + [
    files.bytes,
    isWhole ? fields.max * fields.size : fields.size - FIELDS.size,
    (Math.min(parts.max, files.count + finiteOf(fields.max)) - PARTS.max) * PER_PART,
    parts.header - PARTS.header
  ].reduce((sum, bytes) => sum + Math.max(finiteOf(bytes), 0), 0)
}

module.exports = createLimits
