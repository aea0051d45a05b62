'use strict'

// Warns about options that body-parser reads in silence, or ignores.

/** Intentionally module-level: the warnings that were given. */
const warned = new Set()
const MAX_WARNED = 100 // beyond, no size is warned of: `limit` may be a function with a new size for each request

function warnOfSize (name, text, count) {
  if (warned.size >= MAX_WARNED) return
  warn(`option ${name} "${text}" is read as ${count} bytes: ` +
    'its unit should be b, kb, mb, gb, tb or pb', 'FAST_BODY_PARSER_SIZE')
}

/**
 * Warns about names that are likely to be misspelt, or another package's.
 *
 * @param {string[]} names that nothing knows
 * @param {string[]} own those that may be meant
 * @param {(name: string) => string | undefined} synonymOf what an option of another package is called here
 */
function warnOfNames (names, own, synonymOf) {
  for (const name of names) {
    const hint = hintOf(name, own, synonymOf(name))
    if (hint !== undefined) warn(`option ${name} is unknown and has no effect: ${hint}`, 'FAST_BODY_PARSER_OPTION')
  }
}

/** @returns {string | undefined} what to write in place of a name that nothing knows */
function hintOf (name, own, synonym) {
  if (synonym !== undefined) return `here it is ${synonym}`
  const meant = nearest(name, own)
  return meant && `did you mean ${meant}?`
}

/** @param {string[]} owners the parsers that have the option */
function warnOfOwners (name, parserName, owners) {
  warn(`option ${name} has no effect in ${parserName}(): it belongs to ${owners.join(', ')}`, 'FAST_BODY_PARSER_OPTION')
}

/**
 * Warns once. Not every runtime of ../web has a process, and `emitWarning` throws where the app has frozen
 * `Error.prototype`: out of an event of a request, that would end the process.
 */
function warn (message, code) {
  if (warned.has(message)) return
  warned.add(message)
  try {
    globalThis.process?.emitWarning?.(message, { code })
  } catch {}
}

const MAX_NAME_LENGTH = 32 // characters; no name is as long
const MAX_EDITS = 2

/** The name that is a few edits away, and at most one for three of its characters: short words are all similar. */
function nearest (name, known) {
  if (name.length > MAX_NAME_LENGTH) return undefined
  for (let edits = 0; edits <= MAX_EDITS; edits++) {
    const found = known.find((other) => isWithin(edits, name.toLowerCase(), other.toLowerCase()))
    if (found !== undefined) return edits <= found.length / 3 ? found : undefined
  }
}

/**
 * Whether so few edits make `b` of `a`: a character added, removed or replaced,
 * or two neighbours swapped (Damerau-Levenshtein).
 */
function isWithin (edits, a, b) {
  if (a === b) return true
  if (a[0] === b[0]) return isWithin(edits, a.slice(1), b.slice(1))
  if (edits === 0) return false
  const isSwapped = a[0] === b[1] && a[1] === b[0]
  return [[1, 0], [0, 1], [1, 1], ...isSwapped ? [[2, 2]] : []]
    .some(([inA, inB]) => isWithin(edits - 1, a.slice(inA), b.slice(inB)))
}

module.exports = { hintOf, warn, warnOfNames, warnOfOwners, warnOfSize }
