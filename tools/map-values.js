'use strict'

/** An object with the same names. @param {object} object @param {(value: any, name: string) => any} change */
module.exports = function mapValues (object, change) {
  return Object.fromEntries(Object.entries(object).map(([name, value]) => [name, change(value, name)]))
}
