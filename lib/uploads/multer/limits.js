'use strict'

// Option `limits`.

const { isThenable } = require('../../core/checks')

const COUNTS = ['fieldArrayIndexLimit', 'fieldNameSize', 'fieldNestingDepth', 'fieldSize', 'fields', 'fileSize',
  'files', 'parts', 'total']
const DEFAULTS = { fieldSize: 1024 * 1024 } // bytes; no others are bounded
const MAX_HEADER = 16 * 1024 // bytes of the header of a part
const USUAL_NAME = 200 // bytes
const PER_PART = MAX_HEADER + 128 // bytes: with a boundary
const REST = 100e6 // bytes for what no limit bounds

/** @throws {TypeError} as multer does, for any entry of an object that is no count; and for a promise */
function checkLimits (limits) {
  if (isThenable(limits)) {
    limits.then(undefined, () => {}) // the TypeError is enough; a promise's own error would end the process
    throw new TypeError('Expected limits to be an object, not a promise')
  }
  for (const [name, value] of Object.entries(limits ?? {})) {
    const count = value ?? Infinity
    const isCount = count === Infinity || (Number.isInteger(count) && count >= 0)
    if (!isCount) throw new TypeError(`Expected limits.${name} to be a non-negative integer or Infinity`)
  }
  return limits
}

/**
 * @param {object | undefined} limits that were checked
 * @param {{ maxFiles: number, isInMemory: boolean }} route most files that it takes, and whether memory holds them
 * @returns {Record<string, number> & { ofHeaders: object, isRefusedByLength: boolean }} all limits; `total` follows
 *   from the others if they bound the files
 */
function completeLimits (limits, { maxFiles, isInMemory }) {
  const complete = Object.fromEntries(COUNTS.map((name) => [name, limits?.[name] ?? DEFAULTS[name] ?? Infinity]))
  const isTotalDerived = !Number.isFinite(complete.total)
  if (isTotalDerived) complete.total = totalOf(complete, maxFiles, isInMemory)
  const isRefusedByLength = !isTotalDerived || complete.fileSize === Infinity
  const name = Math.max(USUAL_NAME, Number.isFinite(complete.fieldNameSize) ? complete.fieldNameSize : 0)
  return { ...complete, ofHeaders: { header: MAX_HEADER, name }, isRefusedByLength }
}

function totalOf ({ fields, fieldSize, fileSize, files }, maxFiles, isInMemory) {
  const count = Math.min(files, maxFiles)
  const bytes = count === 0 ? 0 : count * (fileSize + PER_PART)
  if (bytes === Infinity && !isInMemory) return Infinity
  const rest = fields * (fieldSize + PER_PART) + PER_PART
  if (Number.isFinite(bytes)) return bytes + (Number.isFinite(rest) ? rest : REST)
  return REST + (fileSize === Infinity ? 0 : fileSize)
}

module.exports = { checkLimits, completeLimits }
