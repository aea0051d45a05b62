'use strict'

/**
 * Sets an own property as JSON.parse does, where an assignment would call a
 * setter of a prototype, such as `__proto__`, or fail because of a property there
 * that is read-only.
 *
 * @param {object | unknown[]} object
 * @param {string | number} key
 */
function define (object, key, value) {
  if (key in object) {
    Object.defineProperty(object, key, dataDescriptor(value))
  } else {
    object[key] = value
  }
}

/** As JSON.parse creates a property. Without a prototype, as somebody may have set `Object.prototype.get`. */
const dataDescriptor = (value) => ({ __proto__: null, value, writable: true, enumerable: true, configurable: true })

/** Whether an assignment may call a setter that objects inherit, or fail as the app has frozen what they inherit. */
function isRestricted () {
  const { prototype } = Object
  return Object.getOwnPropertyNames(prototype).some((name) => {
    return name !== '__proto__' && Object.getOwnPropertyDescriptor(prototype, name).writable !== true
  })
}

module.exports = define
module.exports.dataDescriptor = dataDescriptor
module.exports.isRestricted = isRestricted
