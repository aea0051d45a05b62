'use strict'

// Changes one value of a JSON text and leaves every other character as it is, unlike JSON.stringify, which would lay
// out the whole file anew.

const SPACE = /[\s\uFEFF]*/y
const STRING = /"(?:[^"\\]|\\.)*"/y
const SCALAR = /[^\s,\]}]+/y

/**
 * @param {string} text JSON whose value is an object
 * @param {string[]} keys
 * @param {string | undefined} value undefined removes the key, and the objects above it that have no other
 * @param {boolean} [isKept] whether the object of the key stays although it has no other
 * @returns {string}
 */
function editJson (text, keys, value, isKept = false) {
  const parents = [readValue(text, 0)]
  for (const key of keys.slice(0, -1)) {
    const property = find(parents.at(-1), key)
    if (property?.value.properties === undefined) break
    parents.push(property.value)
  }
  const depth = parents.length - 1
  const property = depth === keys.length - 1 ? find(parents[depth], keys[depth]) : undefined
  if (value === undefined) return property === undefined ? text : remove(text, parents, keys, isKept)
  if (property !== undefined) return splice(text, property.value, JSON.stringify(value))
  const inner = keys.slice(depth + 1).reduceRight((inside, key) => ({ [key]: inside }), value)
  return insert(text, parents[depth], keys[depth], inner)
}

/**
 * @typedef {object} Value
 * @property {number} start
 * @property {number} end
 * @property {{ key: string, start: number, value: Value }[]} [properties] of an object
 */

/** @returns {Value} */
function readValue (text, at) {
  const start = after(SPACE, text, at)
  if (text[start] === '{') return readObject(text, start)
  if (text[start] === '[') return readArray(text, start)
  return { start, end: after(text[start] === '"' ? STRING : SCALAR, text, start) }
}

function readObject (text, start) {
  const properties = []
  let at = after(SPACE, text, start + 1)
  while (text[at] !== '}') {
    const end = after(STRING, text, at)
    const colon = after(SPACE, text, end)
    const value = readValue(text, colon + 1)
    properties.push({ key: JSON.parse(text.slice(at, end)), start: at, value })
    at = afterComma(text, value.end)
  }
  return { start, end: at + 1, properties }
}

function readArray (text, start) {
  let at = after(SPACE, text, start + 1)
  while (text[at] !== ']') at = afterComma(text, readValue(text, at).end)
  return { start, end: at + 1 }
}

function afterComma (text, at) {
  const next = after(SPACE, text, at)
  return text[next] === ',' ? after(SPACE, text, next + 1) : next
}

function after (expression, text, at) {
  expression.lastIndex = at
  expression.test(text)
  return expression.lastIndex
}

/** The last of two properties with one name counts, as in JSON.parse. */
const find = ({ properties }, key) => properties.findLast((property) => property.key === key)
const splice = (text, { start, end }, inside) => text.slice(0, start) + inside + text.slice(end)

/** A dependency goes where npm would sort it, anything else to the end. */
function insert (text, object, key, value) {
  const { properties } = object
  const isSorted = properties.every(({ key }, i) => i === 0 || properties[i - 1].key < key)
  const next = isSorted && typeof value === 'string' ? properties.find((property) => property.key > key) : undefined
  const margin = marginOf(text, object)
  const inside = JSON.stringify(value, null, margin.includes('\n') ? indentOf(text) : undefined)
  const lines = `${JSON.stringify(key)}: ${inside}`.split('\n').join(margin)
  if (next !== undefined) return splice(text, { start: next.start, end: next.start }, `${lines},${margin}`)
  const last = properties.at(-1)
  if (last !== undefined) return splice(text, { start: last.value.end, end: last.value.end }, `,${margin}${lines}`)
  return splice(text, object, `{${margin}${lines}${lineOf(text, object.start)}}`)
}

/** The line break and the blanks, or the one blank, before each property of an object. */
function marginOf (text, { start, properties: [first] }) {
  if (first === undefined) return lineOf(text, start) + indentOf(text)
  const margin = text.slice(start + 1, first.start)
  return margin.includes('\n') ? margin.slice(margin.search(/\r?\n[^\n]*$/)) : margin
}

/** The line break and the blanks before the line of a character. */
function lineOf (text, at) {
  const before = text.lastIndexOf('\n', at)
  const [blanks] = /^[ \t]*/.exec(text.slice(before + 1))
  return `${text.includes('\r\n') ? '\r\n' : '\n'}${blanks}`
}

const indentOf = (text) => /^\s*\{\s*?\r?\n([ \t]+)/.exec(text.replace(/^\uFEFF/, ''))?.[1] ?? '  '

/**
 * Removes the outermost property that has nothing but the key. What was inserted before another property goes with
 * what is between the two, and what was inserted last with what is before it, so that the rest is as it was.
 */
function remove (text, parents, keys, isKept) {
  const outermost = isKept ? parents.length - 1 : 0
  const depth = parents.findLastIndex(({ properties }, i) => i === outermost || properties.length > 1)
  const { properties } = parents[depth]
  const at = properties.indexOf(find(parents[depth], keys[depth]))
  const next = properties[at + 1]
  if (next !== undefined) return splice(text, { start: properties[at].start, end: next.start }, '')
  if (at > 0) return splice(text, { start: properties[at - 1].value.end, end: properties[at].value.end }, '')
  return splice(text, parents[depth], '{}')
}

module.exports = editJson
