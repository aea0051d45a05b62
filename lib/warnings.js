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
  let same = 0
  while (same < a.length && a[same] === b[same]) same++
  const [restOfA, restOfB] = [a.slice(same), b.slice(same)]
  if (restOfA === restOfB) return true
  if (edits === 0) return false
  const isSwapped = restOfA[0] === restOfB[1] && restOfA[1] === restOfB[0]
  return [[1, 0], [0, 1], [1, 1], ...isSwapped ? [[2, 2]] : []]
    .some(([inA, inB]) => isWithin(edits - 1, restOfA.slice(inA), restOfB.slice(inB)))
}

module.exports = { nearest, warnOfNames, warnOfOrder, warnOfPromise, warnOfSize }
