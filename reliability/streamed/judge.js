'use strict'

// What may be seen of a form, by what was sent.

const { createHash } = require('node:crypto')
const { isDeepStrictEqual } = require('node:util')
const { LEFT, typeOf } = require('./observe')

const UNKNOWN = 'application/octet-stream'

/**
 * @param {import('./case').Case} drawn
 * @param {object} seen what ./observe.js returns
 * @returns {string[]} what is wrong
 */
module.exports = function judge (drawn, seen) {
  const { fault, store } = drawn
  const sent = store === 'stream' ? streamedOf(drawn) : storedOf(drawn)
  const faults = [
    seen.hangs && 'it hangs',
    seen.left > 0 && `${seen.left} files are left`,
    ...fault === 'bit' ? [] : contentFaults(drawn, seen, sent), // until its end, nothing tells that it differs
    ...fault === 'none' ? outcomeFaults(seen, sent) : damageFaults(seen, sent)
  ]
  return faults.filter(Boolean)
}

const isFile = ({ name }) => name !== undefined

/** What comes before a field behind a file, if there is one: that is late. */
function streamedOf ({ end, parts }) {
  const first = parts.findIndex(isFile)
  const late = first === -1 ? -1 : parts.findIndex((part, index) => index > first && !isFile(part))
  return {
    fields: first === -1 ? parts : parts.slice(0, first),
    files: (late === -1 ? parts : parts.slice(0, late)).filter(isFile),
    isLate: late !== -1,
    mayEndEarly: end !== 'all'
  }
}

/** As `req.files` has them: by field, in the order in which these come first. */
function storedOf ({ parts }) {
  const files = parts.filter(isFile)
  const names = new Set(files.map(({ field }) => field))
  return {
    fields: parts.filter((part) => !isFile(part)),
    files: Array.from(names, (name) => files.filter(({ field }) => field === name)).flat(),
    isLate: false,
    mayEndEarly: false
  }
}

function contentFaults ({ options }, { fields, files }, sent) {
  return [
    fields !== null && !isDeepStrictEqual({ ...fields }, valuesOf(sent.fields)) && 'the fields differ',
    files.length > sent.files.length && 'more files are seen than were sent',
    ...files.slice(0, sent.files.length).flatMap((file, index) => fileFaults(file, sent.files[index], options))
  ]
}

function valuesOf (fields) {
  const values = {}
  for (const { bytes, field } of fields) {
    const value = bytes.toString()
    values[field] = Object.hasOwn(values, field) ? [values[field], value].flat() : value
  }
  return values
}

function fileFaults ({ all, beginning, ...file }, { bytes, field, name, type }, { detect, digest }) {
  const found = { none: type, unknown: UNKNOWN }[detect] ?? typeOf(bytes)
  const hash = digest === 'none' || all === undefined ? undefined : createHash(digest).update(bytes).digest('hex')
  return [
    file.field !== field && 'a field differs',
    file.name !== name.replaceAll('\r\n', '').split('/').pop() && 'a name differs',
    file.type !== found && 'a type differs',
    file.declaredType !== (detect === 'none' ? undefined : type) && 'a declared type differs',
    file.digest !== hash && 'a digest differs',
    all !== undefined && !bytes.equals(all) && 'the content of a file differs',
    beginning !== undefined && !bytes.subarray(0, beginning.length).equals(beginning) && 'a beginning differs'
  ]
}

/** Of a form that arrives as it was sent. */
function outcomeFaults ({ error, files, isWhole }, sent) {
  const isRefused = error?.type === 'multipart.field.late'
  return [
    isWhole && sent.isLate && 'a late field is taken',
    isWhole && files.length !== sent.files.length && 'files are missing',
    !isWhole && !sent.mayEndEarly && !sent.isLate && `it is refused: ${error}`,
    !isWhole && !sent.mayEndEarly && sent.isLate && !isRefused && `a late field is ${error}`,
    error !== null && error.message !== LEFT && !(sent.isLate && isRefused) && `it fails: ${error.stack}`
  ]
}

/** Of a form that was cut or changed on its way. */
function damageFaults ({ error, isWhole }, { mayEndEarly }) {
  const isOfApp = error?.message === LEFT
  return [
    isWhole && 'what was not sent is taken',
    error === null && !mayEndEarly && 'there is no error',
    error !== null && !isOfApp && !(error.status >= 400 && error.status < 500) && `it fails: ${error.stack}`
  ]
}
