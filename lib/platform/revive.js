'use strict'

/**
 * What JSON.parse does with a reviver.
 *
 * @param {import('./reader').Parsed} parsed
 * @param {Function} reviver gets the source of a primitive that it has not replaced
 * @returns {unknown}
 */
function revive (parsed, reviver) {
  return internalize({ '': parsed.value }, '', parsed, reviver)
}

/** InternalizeJSONProperty of ECMAScript: children first, in the order of the keys; what becomes undefined is deleted. */
function internalize (holder, name, parsed, reviver) {
  const value = holder[name]
  const known = parsed !== undefined && Object.is(parsed.value, value) ? parsed : undefined
  if (isObject(value)) {
    for (const key of keysOf(value)) {
      const child = internalize(value, key, known?.children.get(key), reviver)
      if (child === undefined) Reflect.deleteProperty(value, key)
      else Reflect.defineProperty(value, key, { value: child, writable: true, enumerable: true, configurable: true })
    }
  }
  return Reflect.apply(reviver, holder, [name, value, known?.source === undefined ? {} : { source: known.source }]) // a function may have a `call` of its own
}

function isObject (value) {
  return typeof value === 'function' || (typeof value === 'object' && value !== null)
}

function keysOf (object) {
  return Array.isArray(object) ? Array.from({ length: object.length }, (_, index) => String(index)) : Object.keys(object)
}

module.exports = revive
