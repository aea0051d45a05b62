'use strict'

/**
 * The places in which two values of plain data differ.
 *
 * @returns {string[]} paths such as `steps.0.error.title`; `''` is the whole
 */
function differingPaths (one, other, path = '') {
  if (Object.is(one, other)) return []
  if (!isNode(one) || !isNode(other) || Array.isArray(one) !== Array.isArray(other)) return [path]
  const names = new Set([...Object.keys(one), ...Object.keys(other)])
  return [...names].flatMap((name) => differingPaths(one[name], other[name], path === '' ? name : `${path}.${name}`))
}

function isNode (value) {
  return typeof value === 'object' && value !== null
}

module.exports = { differingPaths }
