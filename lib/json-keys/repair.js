'use strict'

const define = require('./define')
const { dataDescriptor } = define
const rewriteKeys = require('./escaped-keys')

/**
 * @param {import('./json').Parse} parse calls JSON.parse
 * @returns {import('./json').Parse} the same with the right keys, in an engine that confuses them
 */
function repair (parse) {
  return (text, reviver) => {
    let rewritten = null
    try {
      rewritten = rewriteKeys(text)
    } catch (error) {
      if (error.name !== 'SyntaxError') throw error
    }
    if (rewritten === null) return parse(text, reviver)
    const { text: plain, standIns } = rewritten
    try {
      if (standIns === null) return parse(plain, reviver)
      if (typeof reviver === 'function') return revive(plain, standIns, reviver, parse)
      return standIns.restore(parse(plain))
    } catch (error) {
      JSON.parse(text) // throws the error with the right message and position, if the text is at fault
      throw error
    }
  }
}

/**
 * What JSON.parse does with a reviver, for a text with stand-ins. JSON.parse
 * gets another reviver, which collects the sources of primitives.
 *
 * @param {string} text
 * @param {import('./stand-ins').StandIns} standIns in it
 * @param {Function} reviver gets the source of a primitive that it has not replaced
 * @param {import('./json').Parse} parse calls JSON.parse
 * @returns {unknown}
 */
function revive (text, standIns, reviver, parse) {
  const parsed = parse(text, (key, value, context) => collect(value, context, standIns))
  return internalize({ '': parsed.value }, '', parsed, reviver)
}

/**
 * A value and where it came from: the source of a primitive, or what a container
 * has by key.
 *
 * @typedef {{ value: unknown, source?: string, children?: Parsed[] | Record<string, Parsed> }} Parsed
 *
 * @returns {Parsed} stands for the value in its holder
 */
function collect (value, context, standIns) {
  if (Object(value) !== value) return { value, source: context?.source, children: undefined }
  if (Array.isArray(value)) return { value: value.map(valueOf), source: undefined, children: value }
  const object = {}
  const children = {}
  for (const key of Object.keys(value)) {
    const name = standIns.nameOf(key)
    define(object, name, value[key].value)
    define(children, name, value[key])
  }
  return { value: object, source: undefined, children }
}

const valueOf = (parsed) => parsed.value

/**
 * InternalizeJSONProperty of ECMAScript: children first, in the order of the
 * keys; what becomes undefined is deleted.
 */
function internalize (holder, name, parsed, reviver) {
  const value = holder[name]
  const known = parsed !== undefined && Object.is(parsed.value, value) ? parsed : undefined
  if (Object(value) === value) {
    for (const key of keysOf(value)) {
      const child = internalize(value, key, childOf(known, key), reviver)
      if (child === undefined) Reflect.deleteProperty(value, key)
      else Reflect.defineProperty(value, key, dataDescriptor(child))
    }
  }
  const context = known?.source === undefined ? {} : { source: known.source }
  return Reflect.apply(reviver, holder, [name, value, context]) // a function may have a `call` of its own
}

function childOf (parsed, key) {
  const children = parsed?.children
  return children !== undefined && Object.hasOwn(children, key) ? children[key] : undefined
}

function keysOf (object) {
  if (!Array.isArray(object)) return Object.keys(object)
  return Array.from({ length: object.length }, (_, index) => String(index))
}

module.exports = repair
