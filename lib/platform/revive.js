'use strict'

// What JSON.parse does with a reviver, for a value whose names were restored.

/**
 * What JSON.parse has made of a part of the text. The reviver gets the source of
 * a primitive if it has not replaced the value before.
 *
 * @typedef {{ value: unknown, source: string | undefined, children: Map<string, Parsed> | undefined }} Parsed
 */

/**
 * @param {string} text
 * @param {import('./names').StandIns} standIns in it
 * @param {Function} reviver
 * @returns {unknown} what JSON.parse returns for the text with the names
 */
function revive (text, standIns, reviver) {
  const parsed = parseWithSources(text, standIns)
  return internalize({ '': parsed.value }, '', parsed, reviver)
}

/** @returns {Parsed} the whole */
function parseWithSources (text, standIns) {
  const childrenOf = new Map()
  let last
  JSON.parse(text, function (key, original, context) {
    const value = typeof original === 'object' && original !== null ? standIns.rename(original) : original
    /* c8 ignore next -- Node 20 has no context */
    last = { value, source: context?.source, children: childrenOf.get(original) }
    childrenOf.delete(original)
    if (!childrenOf.has(this)) childrenOf.set(this, new Map())
    childrenOf.get(this).set(standIns.nameOf(key), last)
    return value
  })
  return last
}

/** InternalizeJSONProperty of ECMAScript: children first, in the order of the keys; what becomes undefined is deleted. */
function internalize (holder, name, parsed, reviver) {
  const value = holder[name]
  const known = parsed !== undefined && Object.is(parsed.value, value) ? parsed : undefined
  if (isObject(value)) {
    for (const key of keysOf(value)) {
      const child = internalize(value, key, known?.children?.get(key), reviver)
      if (child === undefined) Reflect.deleteProperty(value, key)
      else Reflect.defineProperty(value, key, { value: child, writable: true, enumerable: true, configurable: true })
    }
  }
  /* c8 ignore next -- Node 20 has no context */
  return reviver.call(holder, name, value, known?.source === undefined ? {} : { source: known.source })
}

function isObject (value) {
  return typeof value === 'function' || (typeof value === 'object' && value !== null)
}

function keysOf (object) {
  return Array.isArray(object) ? Array.from({ length: object.length }, (_, index) => String(index)) : Object.keys(object)
}

module.exports = revive
