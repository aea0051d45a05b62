'use strict'

/**
 * @param {{ statusCodes: Record<string, number> }[]} counted
 * @returns {Record<string, number>} status code -> how many of all
 */
function countStatusCodes (counted) {
  const counts = {}
  for (const { statusCodes } of counted) {
    for (const [code, count] of Object.entries(statusCodes)) counts[code] = (counts[code] ?? 0) + count
  }
  return counts
}

module.exports = countStatusCodes
