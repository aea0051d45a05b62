'use strict'

/**
 * Where a value does not have its shape. In a shape, a string is what `typeof`
 * must give, a list of one shape stands for a list with at least one item, and
 * an object names the fields that must be there.
 *
 * @param {unknown} value
 * @param {string | object | Array} shape
 * @param {string} [at] path of the value
 * @returns {string | null} path of the first mismatch, such as `.scenarios[0].name`
 */
module.exports = function findMismatch (value, shape, at = '') {
  const type = typeof value
  if (typeof shape === 'string') return type === shape && !Number.isNaN(value) ? null : at
  if (Array.isArray(shape)) {
    return Array.isArray(value) && value.length > 0 ? firstOf(value.map((item, i) => findMismatch(item, shape[0], `${at}[${i}]`))) : at
  }
  if (type !== 'object' || value === null) return at
  return firstOf(Object.entries(shape).map(([key, inner]) => findMismatch(value[key], inner, `${at}.${key}`)))
}

function firstOf (paths) {
  return paths.find((path) => path !== null) ?? null
}
