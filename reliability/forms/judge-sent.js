'use strict'

// What may be seen of a form: by what was sent, and beside the other product.

const { createHash } = require('node:crypto')
const { isDeepStrictEqual } = require('node:util')
const { partsOf } = require('./form')
const { typeOf } = require('./observe')

const UNKNOWN = 'application/octet-stream'
const OF_THE_BODY = ['entity.too.large', 'request.size.invalid', 'request.aborted', 'digest.mismatch']
/** Those of a decoder have a number. */
const isOfTheBody = (error) => OF_THE_BODY.includes(error?.type) || error?.errno !== undefined

/** Differences of /web from the middleware that are meant: whether each explains one. */
const RULES = {
  // It reads no more while it waits for the app or the disk, and the middleware up to 256 KB; zlib has a thread.
  'Of a fault of the whole body and one of a part, either may come first.' (drawn, seen, { error }) {
    const { arrival, coding, filter, isByParts, store } = drawn
    const isAwaited = store !== 'memory' || isByParts || filter !== 'none'
    if (isAwaited && (seen.error !== undefined || !seen.isWhole) && isOfTheBody(error)) return true
    return (coding !== 'identity' || arrival === 'aborted') && error !== undefined && isOfTheBody(seen.error)
  },
  // A loop that is left leaves the filter where it is.
  'An error, or the end of a loop, may come before the app has read what came before it.' (drawn, ...outcomes) {
    const [{ asked, taken, ...seen }, { asked: others, taken: more, ...expected }] = outcomes
    if (!isDeepStrictEqual(seen, expected) || !isBeginning(asked, others)) return false
    return seen.error === undefined ? !seen.isWhole && isDeepStrictEqual(taken, more) : isBeginning(taken, more)
  }
}

function isBeginning (...lists) {
  const [short, long] = lists.sort((one, other) => one.length - other.length)
  return isDeepStrictEqual(short, long.slice(0, short.length))
}

/** @returns {string | undefined} none if nothing explains it */
const ruleFor = (...outcomes) => Object.keys(RULES).find((rule) => RULES[rule](...outcomes))

/** @returns {string[]} what is wrong, as far as what was sent tells */
function faultsIn (drawn, seen) {
  const { arrival, form, isLenient } = drawn
  const parts = isLenient ? partsOf(form) : null
  const sent = parts && sentOf(drawn, parts)
  return [
    seen.hangs && 'it hangs',
    seen.left > 0 && `${seen.left} files are left`,
    ...sent && arrival !== 'bit' ? contentFaults(drawn, seen, sent) : [], // only its end tells that it has changed
    ...sent && arrival === 'whole' ? outcomeFaults(seen, sent, endsEarly(drawn)) : [],
    ...isLenient && arrival !== 'whole' ? damageFaults(seen, endsEarly(drawn)) : []
  ].filter(Boolean)
}

const isFile = ({ name }) => name !== undefined
const endsEarly = ({ isByParts, leaves, store }) => (isByParts || store === 'stream') && leaves

/** The fields and files that may be seen; a field behind a file is late where the files are streamed. */
function sentOf ({ isByParts, store }, parts) {
  const isStreamed = store === 'stream' && !isByParts
  const first = parts.findIndex(isFile)
  const late = parts.findIndex((part, index) => isStreamed && first !== -1 && index > first && !isFile(part))
  const seen = late === -1 ? parts : parts.slice(0, late)
  const files = seen.filter(isFile)
  const names = isByParts || isStreamed ? [] : [...new Set(files.map(({ field }) => field))]
  files.sort((one, other) => names.indexOf(one.field) - names.indexOf(other.field)) // stored ones are listed by field
  return { fields: seen.filter((part) => !isFile(part)), files, isLate: late !== -1 }
}

function contentFaults ({ isByParts, options, detect }, seen, sent) {
  const { fields, files } = takenOf(seen)
  const expected = isByParts
    ? sent.fields.slice(0, fields.length).map(({ bytes, field }) => ({ field, bytes: bytes.toString('hex') }))
    : valuesOf(sent.fields)
  const areFields = (seen.fields === undefined && !isByParts) || isDeepStrictEqual(seen.fields ?? fields, expected)
  return [
    !areFields && 'the fields differ',
    files.length > sent.files.length && 'more files are seen than were sent',
    ...files.slice(0, sent.files.length).flatMap((file, index) => fileFaults(file, sent.files[index], options, detect))
  ]
}

function valuesOf (fields) {
  const names = new Set(fields.map(({ field }) => field))
  const values = Array.from(names, (name) => {
    const [first, ...more] = fields.filter(({ field }) => field === name).map(({ bytes }) => bytes.toString())
    return [name, more.length === 0 ? first : [first, ...more]]
  })
  return Object.fromEntries(values)
}

/** The fields that a loop has taken; the files of it, or those that are stored. */
function takenOf ({ files: stored = {}, taken }) {
  const fields = []
  const files = Object.values(stored).filter(Array.isArray).flat().map((file) => ({ ...file, all: file.bytes }))
  for (const { what, ...part } of taken) {
    if (what === 'content') Object.assign(files.at(-1), part)
    else if (isFile(part)) files.push(part)
    else fields.push({ field: part.field, bytes: part.bytes })
  }
  return { fields, files }
}

function fileFaults ({ all, beginning, ...file }, { bytes, field, name, type }, { digest }, detect) {
  const found = { none: type, unknown: UNKNOWN }[detect] ?? typeOf(bytes)
  const hash = digest && all !== undefined ? createHash(digest).update(bytes).digest('hex') : undefined
  const hex = bytes.toString('hex')
  return [
    file.field !== field && 'a field differs',
    file.name !== name.replaceAll('\r\n', '').split('/').pop() && 'a name differs',
    file.type !== found && 'a type differs',
    file.declaredType !== (detect === 'none' ? undefined : type) && 'a declared type differs',
    file.digest !== hash && 'a digest differs',
    all !== undefined && all !== hex && 'the content of a file differs',
    beginning !== undefined && !hex.startsWith(beginning) && 'a beginning differs'
  ]
}

/** Of a form that arrives as it was sent. */
function outcomeFaults ({ error, isWhole, ...seen }, { fields, files, isLate }, mayEndEarly) {
  const isRefused = isLate && error?.type === 'multipart.field.late'
  const taken = takenOf(seen)
  const isMissing = taken.files.length < files.length || (seen.fields ?? taken.fields).length < fields.length
  return [
    isWhole && isLate && 'a late field is taken',
    isWhole && isMissing && 'parts are missing',
    !isWhole && !mayEndEarly && !isRefused && `it is refused: ${error?.message}`,
    error !== undefined && !isRefused && `it fails: ${error.message}`
  ]
}

/** Of a form that was cut or changed on its way. */
function damageFaults ({ error, isWhole }, mayEndEarly) {
  return [
    isWhole && error === undefined && 'what was not sent is taken',
    error === undefined && !mayEndEarly && 'there is no error',
    error !== undefined && !(error.status >= 400 && error.status < 500) && `it fails: ${error.message}`
  ]
}

module.exports = { faultsIn, ruleFor }
