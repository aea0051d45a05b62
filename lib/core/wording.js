'use strict'

// What messages of errors are made of: text that a client chose, and sizes.

const MAX_QUOTED = 100 // characters; a log or a terminal gets no more of a stranger's text
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
function bound (text, most) {
  return shorten(text, String, most)
}

/** @param {(text: string) => string} write adds quotes, or none */
function shorten (text, write, most = MAX_QUOTED) {
  const rest = text.length > most ? '...' : ''
  return write(text.slice(0, most)).replace(INVISIBLE, escape) + rest
}

const escape = (character) => {
  const units = Array.from({ length: character.length }, (_, at) => character.charCodeAt(at))
  return units.map((unit) => `\\u${unit.toString(16).padStart(4, '0')}`).join('')
}

/** @returns {string} in the largest unit that has it exactly: `1.5 MB`, `1025 bytes` */
function formatSize (bytes) {
  const isExact = ([, size]) => bytes >= size && Number.isInteger(bytes / size * 100)
  const [unit, size] = UNITS.find(isExact) ?? [bytes === 1 ? 'byte' : 'bytes', 1]
  return `${bytes / size} ${unit}`
}

module.exports = { bound, formatSize, quote }
