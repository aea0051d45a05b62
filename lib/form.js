'use strict'

// Reads forms in which no name or value means more to qs than it says: no
// brackets, so no nesting. The result is exactly that of qs.

const { unescapeBuffer } = require('node:querystring')

const ESCAPED_BRACKET = /%5[bd]/i
const PLUS = 0x2B
const SPACE = 0x20

/**
 * Does the form nest, with brackets in the clear or as %5B and %5D?
 *
 * @param {string} text
 */
function hasBrackets (text) {
  // Searches for one character are some ten times as fast as one with a regular
  // expression, which is left for the few texts that may have an escape.
  return text.includes('[') || text.includes(']') || (text.includes('%5') && ESCAPED_BRACKET.test(text))
}

/** One more than there are ampersands, as body-parser counts; over `most` it stops. */
function countParameters (text, most) {
  let count = 1
  for (let at = text.indexOf('&'); at !== -1 && count <= most; at = text.indexOf('&', at + 1)) count++
  return count
}

/**
 * @param {string} text a form without brackets
 * @param {(component: string) => string} unescape undoes percent-encoding
 * @returns {object} name -> string, or array of strings where names repeat
 */
function parseFlat (text, unescape) {
  const form = {}
  const spaced = text.includes('+') ? plusesToSpaces(text) : text
  const undo = spaced.includes('%') ? unescape : asIs
  const { length } = spaced
  let equals = -1 // the next one, looked for once: there may be none for long

  for (let start = 0, end; start < length; start = end + 1) {
    end = spaced.indexOf('&', start)
    if (end === -1) end = length
    if (equals < start) {
      equals = spaced.indexOf('=', start)
      if (equals === -1) equals = length
    }
    if (equals < end) add(form, undo(spaced.slice(start, equals)), undo(spaced.slice(equals + 1, end)))
    else add(form, undo(spaced.slice(start, end)), '')
  }
  return form
}

/** Byte by byte: a form of nothing but pluses takes `replaceAll` 70 ms per MB. */
function plusesToSpaces (text) {
  const bytes = Buffer.from(text)
  for (let i = 0; i < bytes.length; i++) {
    if (bytes[i] === PLUS) bytes[i] = SPACE
  }
  return bytes.toString()
}

function add (form, name, value) {
  if (name === '' || name === '__proto__') return
  const present = form[name]
  if (present === undefined || !Object.hasOwn(form, name)) form[name] = value
  else if (typeof present === 'string') form[name] = [present, value]
  else present.push(value)
}

const PROTOTYPE_NAMES = Object.getOwnPropertyNames(Object.prototype)

/** Fields that hide what every object inherits; in brackets, qs leaves them out. */
function dropPrototypeNames (form) {
  for (const name of PROTOTYPE_NAMES) {
    if (Object.hasOwn(form, name)) delete form[name]
  }
  return form
}

function asIs (component) {
  return component
}

/** UTF-8; a component with a bad escape stays as it is. */
function unescapeUtf8 (component) {
  if (!component.includes('%')) return component
  try {
    return decodeURIComponent(component)
  } catch {
    return component
  }
}

/** ISO-8859-1, so no character is more than a byte; a bad escape stays. */
function unescapeLatin1 (component) {
  return component.includes('%') ? unescapeBuffer(component).latin1Slice() : component
}

module.exports = { countParameters, dropPrototypeNames, hasBrackets, parseFlat, unescapeLatin1, unescapeUtf8 }
