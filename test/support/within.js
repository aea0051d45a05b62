'use strict'

/**
 * Runs `act` where properties of an object, such as globals, have other values. Then they are as before: at once, or
 * once the promise is settled that `act` returns.
 */
module.exports = function within (object, values, act) {
  const undo = Object.keys(values).map((name) => replace(object, name, values[name]))
  const restore = () => undo.forEach((back) => back())
  let result
  try {
    result = act()
  } catch (error) {
    restore()
    throw error
  }
  if (typeof result?.then === 'function') return result.finally(restore)
  restore()
  return result
}

function replace (object, name, value) {
  const before = Object.getOwnPropertyDescriptor(object, name)
  Object.defineProperty(object, name, { value, writable: true, enumerable: before?.enumerable, configurable: true })
  return () => {
    if (before !== undefined) Object.defineProperty(object, name, before)
    else delete object[name]
  }
}
