'use strict'

// Reads forms in which no name or value means more to qs than it says: no
// brackets, so no nesting. The result is exactly that of qs.

const AMPERSAND = 0x26
const EQUALS = 0x3D
const PERCENT = 0x25
const PLUS = 0x2B
const OPEN_BRACKET = 0x5B
const CLOSE_BRACKET = 0x5D
const DIGIT_5 = 0x35

/**
 * Does the form nest, with brackets in the clear or as %5B and %5D?
 *
 * @param {string} text
 */
function hasBrackets (text) {
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i)
    if (code === OPEN_BRACKET || code === CLOSE_BRACKET) return true
    if (code === PERCENT && text.charCodeAt(i + 1) === DIGIT_5 && isBracketDigit(text.charCodeAt(i + 2))) {
      return true
    }
  }
  return false
}

/** `B`, `D`, `b` or `d`. */
function isBracketDigit (code) {
  return code === 0x42 || code === 0x44 || code === 0x62 || code === 0x64
}

/** One more than there are ampersands, as body-parser counts. */
function countParameters (text) {
  let count = 1
  for (let at = text.indexOf('&'); at !== -1; at = text.indexOf('&', at + 1)) count++
  return count
}

/**
 * @param {string} text a form without brackets
 * @param {(component: string) => string} unescape undoes percent-encoding
 * @returns {object} name -> string, or array of strings where names repeat
 */
function parseFlat (text, unescape) {
  const form = {}
  let start = 0
  let equals = -1 // where the name ends
  let nameEscaped = false
  let escaped = false // anything to undo in the part at hand

  for (let i = 0; i <= text.length; i++) {
    const code = i < text.length ? text.charCodeAt(i) : AMPERSAND
    if (code === EQUALS && equals === -1) {
      equals = i
      nameEscaped = escaped
      escaped = false
    } else if (code === PLUS || code === PERCENT) {
      escaped = true
    } else if (code === AMPERSAND) {
      let name
      let value = ''
      if (equals === -1) {
        name = text.slice(start, i)
        nameEscaped = escaped
      } else {
        name = text.slice(start, equals)
        value = text.slice(equals + 1, i)
        if (escaped) value = unescape(value)
      }
      if (nameEscaped) name = unescape(name)
      add(form, name, value)
      start = i + 1
      equals = -1
      nameEscaped = escaped = false
    }
  }
  return form
}

function add (form, name, value) {
  if (name === '' || name === '__proto__') return
  if (!Object.hasOwn(form, name)) form[name] = value
  else if (typeof form[name] === 'string') form[name] = [form[name], value]
  else form[name].push(value)
}

/** UTF-8; a component with a bad escape stays as it is, blanks apart. */
function unescapeUtf8 (component) {
  const text = component.replaceAll('+', ' ')
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** ISO-8859-1; every escape by itself. */
function unescapeLatin1 (component) {
  return component.replaceAll('+', ' ').replace(/%([0-9a-f]{2})/gi, (_, digits) =>
    String.fromCharCode(parseInt(digits, 16)))
}

module.exports = { countParameters, hasBrackets, parseFlat, unescapeLatin1, unescapeUtf8 }
