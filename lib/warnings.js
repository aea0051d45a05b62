'use strict'

// Warns about options that body-parser reads in silence, or ignores.

/** Intentionally module-level: the warnings that were given. */
const warned = new Set()
const MOST = 100 // entries: `limit` may be a function that returns a new size for each request

function warnOfSize (name, text, count) {
  if (warned.size >= MOST) return
  warn(`option ${name} "${text}" is read as ${count} bytes: ` +
    'its unit should be b, kb, mb, gb, tb or pb', 'FAST_BODY_PARSER_SIZE')
}

/** Of a function that is asked about each request. Nothing awaits its promise, so a rejection would end the process. */
function warnOfPromise (name, promise) {
  promise.catch(() => {})
  warn(`option ${name} returned a promise, which counts as true: ` +
    'the function must not be asynchronous', 'FAST_BODY_PARSER_ASYNC')
}

function warnOfOrder () {
  warn('refuseUnparsed() has refused content that no parser of this package has seen: ' +
    'does it come before the parsers?', 'FAST_BODY_PARSER_ORDER')
}

/**
 * Warns about names that are likely to be misspelt.
 *
 * @param {Set<string>} known
 * @param {Iterable<string>} [own] those of them that may be meant
 */
function warnOfNames (given, known, own = known) {
  for (const name of Object.keys(given)) {
    const meant = known.has(name) ? undefined : nearest(name, [...own])
    if (meant === undefined) continue
    warn(`option ${name} is unknown and has no effect: did you mean ${meant}?`, 'FAST_BODY_PARSER_OPTION')
  }
}

/** Warns once. Not every runtime of ./web has a process. */
function warn (message, code) {
  if (warned.has(message)) return
  warned.add(message)
  globalThis.process?.emitWarning?.(message, { code })
}

const LONGEST = 32 // characters; no name is as long
const MAX_EDITS = 2

/** The name that is a few edits away; fewer for a short name, near which other words are. */
function nearest (name, known) {
  if (name.length > LONGEST) return undefined
  const edits = known.map((other) => distance(name.toLowerCase(), other.toLowerCase()))
  const [index] = [...known.keys()].sort((a, b) => edits[a] - edits[b])
  return edits[index] <= Math.min(MAX_EDITS, Math.floor(known[index].length / 3)) ? known[index] : undefined
}

/**
 * Edits from one word to another: characters added, removed or replaced, and
 * neighbours swapped (Damerau-Levenshtein).
 */
function distance (a, b) {
  const rows = [Array.from({ length: b.length + 1 }, (_, column) => column)]
  for (let i = 1; i <= a.length; i++) {
    rows[i] = [i]
    for (let j = 1; j <= b.length; j++) {
      const isSame = a[i - 1] === b[j - 1]
      const isSwapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]
      rows[i][j] = Math.min(rows[i - 1][j] + 1, rows[i][j - 1] + 1, rows[i - 1][j - 1] + (isSame ? 0 : 1))
      if (isSwapped) rows[i][j] = Math.min(rows[i][j], rows[i - 2][j - 2] + 1)
    }
  }
  return rows[a.length][b.length]
}

module.exports = { nearest, warnOfNames, warnOfOrder, warnOfPromise, warnOfSize }
