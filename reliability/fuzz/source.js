'use strict'

/**
 * A value as JavaScript source.
 *
 * @param {unknown} value
 * @returns {string}
 */
function sourceOf (value) {
  if (Buffer.isBuffer(value)) return bufferSource(value)
  if (Array.isArray(value)) return `[${value.map(sourceOf).join(', ')}]`
  switch (typeof value) {
    case 'string': return quote(value)
    case 'bigint': return `${value}n`
    case 'number': return Object.is(value, -0) ? '-0' : String(value)
    case 'object': return value === null ? 'null' : objectSource(value)
    default: return String(value) // functions, booleans, symbols, undefined
  }
}

function objectSource (value) {
  const fields = Object.entries(value).map(([name, field]) => `${/^[a-z]+$/i.test(name) ? name : quote(name)}: ${sourceOf(field)}`)
  return fields.length === 0 ? '{}' : `{ ${fields.join(', ')} }`
}

function quote (text) {
  const repeated = repetition(text)
  if (repeated !== null) return repeated
  const inner = JSON.stringify(text).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")
  return `'${inner.replace(/[\u007f-\uffff]/g, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`)}'`
}

const LONG = 300 // characters

/** Long texts are mostly one unit many times over. */
function repetition (text) {
  if (text.length < LONG) return null
  const match = /^(.{0,40}?)(.{1,12}?)\2{20,}/s.exec(text)
  if (match === null) return null
  const [all, start, unit] = match
  const times = (all.length - start.length) / unit.length
  return [quote(start), `${quote(unit)}.repeat(${times})`, quote(text.slice(all.length))].filter((part) => part !== "''").join(' + ')
}

function bufferSource (bytes) {
  const text = bytes.toString()
  if (Buffer.from(text).equals(bytes)) return quote(text)
  const same = bytes.length > LONG && bytes.every((byte) => byte === bytes[0])
  return same ? `Buffer.alloc(${bytes.length}, ${bytes[0]})` : `Buffer.from('${bytes.toString('hex')}', 'hex')`
}

module.exports = sourceOf
