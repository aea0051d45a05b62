'use strict'

// What JSON.parse says of a whole text, and where it finds a fault: its messages do not always tell.

const { isDeepStrictEqual } = require('node:util')
const parseJson = require('../../lib/json-keys/json').createEngineParse() // JSON.parse, with the right keys

/** @returns {string | null} the difference of what was read of a document */
module.exports = function judge ({ bytes, path }, { error, items }) {
  const text = decode(bytes)
  const { fault, value } = parse(text)
  if (error?.type === 'records.ambiguous') return isKeyTwice(text, path) ? null : 'no key is there twice'
  if (error?.type === 'records.not.found') return judgeMistake(text, path, fault, error, items)
  if (fault === undefined) {
    if (error !== null) return `JSON.parse takes it: ${error.message}`
    return compareItems(items, follow(value, path))
  }
  if (error === null) return `JSON.parse refuses it: ${fault.message}`
  if (error.message !== fault.message) return `the message is ${error.message}, not ${fault.message}`
  const position = decode(bytes.subarray(0, error.offset)).length
  if (!isFaultAt(text, position)) return `the fault is not at ${error.offset}`
  return compareItems(items, itemsBefore(text.slice(0, position), path))
}

function parse (text) {
  try {
    return { value: parseJson(text) }
  } catch (fault) {
    return { fault }
  }
}

function decode (bytes) {
  const text = Buffer.from(bytes).toString()
  return text.startsWith('\ufeff') ? text.slice(1) : text
}

const compareItems = (items, expected) => isDeepStrictEqual(items, expected) ? null : 'the items differ'

const follow = (value, path) => path.reduce((parent, key) => {
  const isThere = Object.prototype.toString.call(parent) === '[object Object]' && Object.hasOwn(parent, key)
  return isThere ? parent[key] : undefined
}, value)

/** It may be seen before a fault, or before a second key that would change the value. */
function judgeMistake (text, path, fault, { message }, items) {
  const isRight = fault !== undefined || !Array.isArray(follow(parseJson(text), path)) || isKeyTwice(text, path)
  return isRight && items.length === 0 ? null : `there is an array: ${message}`
}

function isKeyTwice (text, path) {
  const keys = Array.from(text.matchAll(/"(?:[^"\\]|\\.)*"/gs), ([key]) => parse(key).value)
  return path.some((wanted) => keys.filter((key) => key === wanted).length > 1)
}

/** Whether a text that begins with this may be JSON. */
function mayGoOn (text) {
  const { fault } = parse(text)
  if (fault === undefined || fault.message.startsWith('Unexpected end of')) return true
  return Number(/at position (\d+)/.exec(fault.message)?.[1]) === text.length
}

function isFaultAt (text, position) {
  return mayGoOn(text.slice(0, position)) && (position === text.length || !mayGoOn(text.slice(0, position + 1)))
}

/** The items that have their ends in the beginning of a text. */
function itemsBefore (text, path) {
  const open = [] // containers: the key of the child that is read, and whether it is an array
  let key
  let end = null // index behind the last item
  for (const { 0: token, index } of text.matchAll(/"(?:[^"\\]|\\.)*(?:"|\\?$)|[[\]{},:]/gs)) {
    const isOnPath = open.length === path.length + 1 && path.every((key, level) => open[level].key === key)
    if (isOnPath && open.at(-1).isArray && (token === ',' || token === ']')) end = index
    if (token[0] === '"') key = parse(token).value
    else if (token === ':') open.at(-1).key = key
    else if (token === '[' || token === '{') open.push({ isArray: token === '[' })
    else if (token === ']' || token === '}') open.pop()
  }
  if (end === null) return []
  return follow(parseJson(`${text.slice(0, end)}]${'}'.repeat(path.length)}`), path)
}
