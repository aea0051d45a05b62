'use strict'

// What messages of errors are made of: text that a client chose, and sizes.

const MOST_OF_ENGINE = 200 // characters of its message, in which V8 quotes up to 20, JavaScriptCore a whole name
const MAX_QUOTED = 100 // characters; bounds what a client can write into a log
// Control characters, and those that hide text or change its direction.
const INVISIBLE = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu
const UNITS = [['TB', 2 ** 40], ['GB', 2 ** 30], ['MB', 2 ** 20], ['KB', 2 ** 10]]

/**
 * Text that a client chose, for a message: at most 100 characters, and nothing that moves a cursor or begins a line.
 *
 * @param {string} text
 * @returns {string} in quotes; `...` follows if something was left out
 */
function quote (text) {
  return shorten(text, JSON.stringify)
}

/**
 * The same without quotes, for messages that have them already, or have none.
 *
 * @param {number} [most] characters
 */
function truncate (text, most) {
  return shorten(text, String, most)
}

/** @param {(text: string) => string} write adds quotes, or none */
function shorten (text, write, most = MAX_QUOTED) {
  const rest = text.length > most ? '...' : ''
  return write(text.slice(0, most)).replace(INVISIBLE, escape) + rest
}

const SHORT = { __proto__: null, '\n': '\\n', '\r': '\\r', '\t': '\\t' }

const escape = (character) => SHORT[character] ?? escapeUnits(character)

function escapeUnits (character) {
  const units = Array.from({ length: character.length }, (_, at) => character.charCodeAt(at))
  return units.map((unit) => `\\u${unit.toString(16).padStart(4, '0')}`).join('')
}

/** The message of JSON.parse, which quotes control characters of the text as they are. */
const escapedMessageOf = ({ message }) => truncate(message, MOST_OF_ENGINE)

/**
 * Escapes the message of a SyntaxError, so that no text of a client moves the cursor of a terminal or forges a line of
 * a log. body-parser does not.
 *
 * @param {unknown} error that a parser threw, or a reviver
 */
function escapeMessage (error) {
  try {
    if (error.name !== 'SyntaxError') return error
    const { message, stack } = error
    const shown = escapedMessageOf(error)
    if (message === shown) return error
    return Object.assign(error, { message: shown, stack: String(stack).replace(message, () => shown) })
  } catch { // a reviver may throw anything
    return error
  }
}

/** @returns {string} in the largest unit that has it exactly: `1.5 MB`, `1025 bytes` */
function formatSize (bytes) {
  const isExact = ([, size]) => bytes >= size && Number.isInteger(bytes / size * 100)
  const [unit, size] = UNITS.find(isExact) ?? [bytes === 1 ? 'byte' : 'bytes', 1]
  return `${bytes / size} ${unit}`
}

module.exports = { formatSize, escapeMessage, escapedMessageOf, quote, truncate }
