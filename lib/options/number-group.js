'use strict'

// Numbers that belong together: options `fields`, `parts`, and each rule of `files`.

const { readObject, readSize } = require('../core/checks')

/**
 * @param {unknown} value as it was given
 * @param {string} group the name of the option
 * @param {Record<string, number | undefined>} fallbacks undefined for what follows from other options
 * @param {string[]} [others] what the group takes besides numbers
 */
module.exports = function readNumbers (value, group, fallbacks, others = []) {
  const numbers = readObject(value ?? {}, group)
  const names = [...Object.keys(fallbacks), ...others]
  const unknown = Object.keys(numbers).find((name) => !names.includes(name))
  if (unknown !== undefined) throw new TypeError(`option ${group} takes ${names.join(', ')}; not ${unknown}`)
  const read = ([name, fallback]) => [name, readSize(numbers[name], `${group}.${name}`, fallback)]
  return Object.fromEntries(Object.entries(fallbacks).map(read))
}
