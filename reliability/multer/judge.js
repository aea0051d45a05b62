'use strict'

// Whether a difference from multer is meant: see ./differences.js.

const { isDeepStrictEqual } = require('node:util')
const { formatSize } = require('../../lib/core/wording')
const { completeLimits } = require('../../lib/uploads/multer/limits')
const { SENTENCES, reword } = require('./differences')
const { unhide, writeForm } = require('./form-text')

const NONE = { '<null>': true } // an object without a prototype, and with nothing in it
const MAX_FILES = { none: 0, single: 1, array2: 2 } // by route
const OWN_ENGINES = ['memory', 'disk', 'dest', 'named'] // done with a file before the next part
const REMOVED_TWICE = /^ENOENT.*unlink/

/**
 * @param {import('./case').Case} drawn
 * @param {object} seen the outcome here; see ../../test/support/multer-outcome.js
 * @param {object} expected that of multer
 * @param {(text: string, changes?: object) => Promise<object>} ask what multer makes of another text, or with
 *   changes to the case
 * @returns {Promise<string[] | null>} the sentences that say why they differ; none if they do not, and null if
 *   nothing explains it
 */
async function judge (drawn, seen, expected, ask) {
  if (isDeepStrictEqual(seen, expected)) return []
  if (seen.calls !== 1) return null
  if (isOverTotal(drawn, seen)) return [SENTENCES.total]
  for (const [sentence, changes] of circumstances(drawn)) {
    const reasons = await reasonsFor({ ...drawn, ...changes }, seen, (text, more) => ask(text, { ...changes, ...more }))
    if (reasons !== null) return sentence === null ? reasons : [sentence, ...reasons]
  }
  return null
}

/** What multer is asked about: the case as it is, and without what depends on time. */
function * circumstances ({ engine, filter }) {
  const atOnce = filter.replace(/,? later$/, '')
  yield [null, {}]
  if (atOnce !== filter) yield [SENTENCES.filter, { filter: atOnce }]
  if (engine === 'failing') yield [SENTENCES.engine, { engine: 'reading', filter: atOnce, unstored: 'y' }]
}

async function reasonsFor (drawn, seen, ask) {
  const { sentences, form, text } = reword(drawn)
  const reworded = unhide(await ask(text))
  if (isDeepStrictEqual(seen, reworded)) return sentences
  const failed = seen.error === undefined ? null : await firstFailure(form, ask)
  if (await wasReadUntil(seen, failed, form, ask)) return [...sentences, SENTENCES.until]
  if (failed === null) return null
  const before = withoutFilesOf(drawn.unstored, failed.before)
  if (!hasWhatCameBefore(seen, before, OWN_ENGINES.includes(drawn.engine))) return null
  const [error, expected, last] = [seen.error, failed.error, reworded.error].map(removeOnce)
  if (!isDeepStrictEqual(error, expected)) return null
  const isRemoval = !isDeepStrictEqual(seen.error, failed.error)
  const isFirst = !isDeepStrictEqual(error, last)
  return [...sentences, isFirst ? SENTENCES.first : SENTENCES.before, ...isRemoval ? [SENTENCES.removal] : []]
}

/** Nothing of it is read. */
function isOverTotal ({ body, filter, options: { limits }, route }, { body: fields, file, files = [], error, left }) {
  const isEmpty = isDeepStrictEqual(fields, NONE) && (isDeepStrictEqual(files, []) || isDeepStrictEqual(files, NONE))
  const code = 'LIMIT_TOTAL_SIZE'
  const expected = { name: 'MulterError', code, storageErrors: [] }
  const { message, ...rest } = Object(error)
  if (!isEmpty || file !== undefined || left !== 0 || !isDeepStrictEqual(rest, expected)) return false
  const maxFiles = filter === 'none' ? MAX_FILES[route] ?? Infinity : Infinity
  const { total } = completeLimits(limits, { maxFiles, isInMemory: false })
  return message === `Form too large: at most ${formatSize(total)}` && Buffer.concat(body).length > total
}

/** An engine has failed: with more and more parts, and one that does not, there is an outcome with these fields. */
async function wasReadUntil (seen, failed, form, ask) {
  const isOfEngine = failed?.error.message === 'engine' && isDeepStrictEqual(seen.error, failed.error)
  if (!isOfEngine || seen.left !== 0) return false
  for (let end = failed.count; end <= form.parts.length; end++) {
    const { body, file, files } = unhide(await ask(writeForm(form, end), { engine: 'reading' }))
    if (!isDeepStrictEqual(seen.body, body)) continue
    const stored = filesOf({ file, files })
    const isKnown = (file) => isPlace(file) || stored.some((other) => isDeepStrictEqual(file, other))
    if (filesOf(seen).every(isKnown)) return true
  }
  return false
}

/** In the order of their fields. */
const filesOf = ({ file = [], files = [] }) => [file, ...Object.values(files)].flat().filter((file) => file !== true)

/**
 * The part at which multer fails, of more and more of them.
 *
 * @returns {Promise<{ before: object, error: object, count: number } | null>} what it makes of the parts before
 *   that one, the error, and the number of the part
 */
async function firstFailure (form, ask) {
  let before = null
  for (let count = 0; count <= form.parts.length; count++) {
    const outcome = unhide(await ask(writeForm(form, count)))
    if (outcome.error !== undefined) return { before: before ?? outcome, error: outcome.error, count }
    if (form.parts[count - 1]?.isEnded !== false) before = outcome
  }
  return null
}

function removeOnce (error) {
  const storageErrors = error?.storageErrors?.filter((message) => !REMOVED_TWICE.test(message))
  return error && { ...error, ...storageErrors && { storageErrors } }
}

/** The engine fails after all, while the form is given up, and stores nothing. */
function withoutFilesOf (field, { files, ...outcome }) {
  if (field === undefined || files === undefined) return { ...outcome, files }
  if (Array.isArray(files)) return { ...outcome, files: files.filter(({ fieldname }) => fieldname !== field) }
  const { [field]: removed, ...others } = files
  return { ...outcome, files: others }
}

/** Files whose engines are still at work have a place in the list. */
function hasWhatCameBefore (seen, before, isStored) {
  if (seen.left !== 0 || !isDeepStrictEqual(seen.body, before.body)) return false
  if (seen.file !== undefined && !isDeepStrictEqual(seen.file, withoutBytes(before.file ?? {}))) return false
  return isBegun(listsOf(seen), listsOf(before), isStored)
}

/** By field; an array has none. */
const listsOf = ({ files = [] }) => Array.isArray(files) ? { all: files } : files

function isBegun (seen, before, isStored) {
  let places = 0 // of the file that has failed
  for (const name of new Set([...Object.keys(before), ...Object.keys(seen)])) {
    if (name === '<null>') continue
    const [files, expected] = [seen[name] ?? [], before[name] ?? []]
    if (files.length < expected.length) return false
    places += files.length - expected.length
    const isRight = (file, at) => {
      if (at >= expected.length) return isPlace(file)
      return isDeepStrictEqual(file, withoutBytes(expected[at])) || (!isStored && isPlace(file, expected[at].fieldname))
    }
    if (!files.every(isRight)) return false
  }
  return places <= 1
}

const isPlace = (file, name = file.fieldname) => isDeepStrictEqual(file, { fieldname: name })

/** Those of memory are dropped after an error. */
function withoutBytes ({ buffer, ...file }) {
  return file
}

module.exports = judge
