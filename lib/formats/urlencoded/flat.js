'use strict'

// Parses forms without brackets, which do not nest, with the exact result of
// qs in less time (bench rows "form").

const { Buffer } = require('../../core/platform')
const define = require('../../json-keys/define')
const createNestedParse = require('./nested')

/** Parses forms that do not nest by themselves, and others with qs. */
function createFormParse (settings) {
  const { charsetSentinel, interpretNumericEntities } = settings
  const parseNested = createNestedParse(settings)
  const isFlat = (text) => !hasBrackets(text) &&
    !(charsetSentinel && text.includes('utf8=')) &&
    !(interpretNumericEntities && text.includes('%26')) // an ampersand in a value: &#9786;
  return (text, charset, count) => isFlat(text)
    ? parseFlat(text, charset === 'utf-8' ? unescapeUtf8 : unescapeLatin1)
    : parseNested(text, charset, count)
}

const ESCAPED_BRACKET = /%5[bd]/i
const ESCAPES = /%[\da-f]{2}/gi
const PLUS = 0x2B
const SPACE = 0x20

/** Whether the form may nest: it has brackets, plain or as %5B and %5D. */
function hasBrackets (text) {
  // Searching for one character is much faster than a regular expression, which
  // is left to texts that may have an escape. Searching for two, such as `%5`, is
  // slow in a text of percent signs (`npm run attacks -- --filter=form`).
  return text.includes('[') || text.includes(']') || (text.includes('%') && ESCAPED_BRACKET.test(text))
}

/** @returns {object} name -> string, or array of strings where names repeat */
function parseFlat (text, unescape) {
  const form = {}
  const spaced = text.includes('+') ? plusesToSpaces(text) : text
  const decode = spaced.includes('%') ? unescape : asIs
  const { length } = spaced
  let equals = -1 // index of the next one: kept, so that a long form without any is searched once

  for (let start = 0, end; start < length; start = end + 1) {
    end = spaced.indexOf('&', start)
    if (end === -1) end = length
    if (equals < start) {
      equals = spaced.indexOf('=', start)
      if (equals === -1) equals = length
    }
    if (equals < end) addField(form, decode(spaced.slice(start, equals)), decode(spaced.slice(equals + 1, end)))
    else addField(form, decode(spaced.slice(start, end)), '')
  }
  return form
}

/** Byte by byte, because `replaceAll` is slow in a text of pluses (`npm run attacks -- --filter=form`). */
function plusesToSpaces (text) {
  const bytes = Buffer.from(text)
  for (let i = 0; i < bytes.length; i++) {
    if (bytes[i] === PLUS) bytes[i] = SPACE
  }
  return bytes.utf8Slice()
}

const asIs = (component) => component

/** UTF-8; leaves a component with a bad escape as it is. */
function unescapeUtf8 (component) {
  if (!component.includes('%')) return component
  try {
    return decodeURIComponent(component)
  } catch {
    return component
  }
}

/** ISO-8859-1, where every escape is a character; leaves a bad one as it is. */
function unescapeLatin1 (component) {
  return component.replace(ESCAPES, globalThis.unescape)
}

/** Adds a field as qs does: a name that occurs again makes an array. */
function addField (form, name, value) {
  if (name === '' || name === '__proto__') return
  const present = form[name]
  if (present === undefined || !Object.hasOwn(form, name)) define(form, name, value)
  else if (typeof present === 'string') form[name] = [present, value]
  else present.push(value)
}

module.exports = { addField, createFormParse }
