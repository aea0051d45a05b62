'use strict'

/**
 * Sets an own property as JSON.parse does, where an assignment would call a
 * setter of a prototype, such as `__proto__`, or fail because of a property there
 * that is read-only.
 *
 * @param {object | unknown[]} object
 * @param {string | number} key
 */
module.exports = function define (object, key, value) {
  if (key in object) {
    Object.defineProperty(object, key, { __proto__: null, value, writable: true, enumerable: true, configurable: true })
  } else {
    object[key] = value
  }
}
