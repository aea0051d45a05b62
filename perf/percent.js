'use strict'

/** @returns {string} a ratio such as `-3.1 %` */
function percent (ratio) {
  if (!Number.isFinite(ratio) || ratio > 100) return 'any'
  const value = (ratio - 1) * 100
  return `${value < 0 ? '-' : '+'}${Math.abs(value).toFixed(1)} %`
}

/** @returns {string} an interval of ratios */
percent.range = ({ low, high }) => `${percent(low)} to ${percent(high)}`

module.exports = percent
