'use strict'

/**
 * Gives objects their names back.
 *
 * @param {unknown} value of JSON.parse
 * @param {Map<string, string>} names by the keys that stand for them
 * @returns {unknown} the value with these names, in the same order
 */
function restoreNames (value, names) {
  const root = { value }
  const nodes = [root]
  while (nodes.length > 0) {
    const node = nodes.pop()
    if (Array.isArray(node)) {
      for (let index = 0; index < node.length; index++) visit(node, index)
    } else {
      for (const key of Object.keys(node)) visit(node, key)
    }
  }
  return root.value

  function visit (node, key) {
    const child = node[key]
    if (typeof child !== 'object' || child === null) return
    const renamed = rename(child, names)
    if (renamed !== child) node[key] = renamed // an own property, even if it is `__proto__`
    nodes.push(renamed)
  }
}

/** @returns {object} the same one, or another if it has any of these keys */
function rename (object, names) {
  if (Array.isArray(object)) return object
  const keys = Object.keys(object)
  if (!keys.some((key) => names.has(key))) return object
  const renamed = {}
  for (const key of keys) define(renamed, names.get(key) ?? key, object[key])
  return renamed
}

/** Where an assignment would call a setter, or fail because of a property that is read-only, defines an own property. */
function define (object, key, value) {
  if (key in Object.prototype) {
    Object.defineProperty(object, key, { value, writable: true, enumerable: true, configurable: true })
  } else {
    object[key] = value
  }
}

module.exports = restoreNames
module.exports.rename = rename
