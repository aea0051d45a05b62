'use strict'

const hdr = require('hdr-histogram-js')

/**
 * @param {string[]} histograms encoded
 * @returns {import('hdr-histogram-js').Histogram}
 */
function mergeHistograms (histograms) {
  const [merged, ...others] = histograms.map((histogram) => hdr.decodeFromCompressedBase64(histogram))
  for (const other of others) merged.add(other)
  return merged
}

/**
 * @param {{ statusCodes: Record<string, number> }[]} counted
 * @returns {Record<string, number>} their sums
 */
function countStatusCodes (counted) {
  const counts = {}
  for (const { statusCodes } of counted) {
    for (const [code, count] of Object.entries(statusCodes)) counts[code] = (counts[code] ?? 0) + count
  }
  return counts
}

module.exports = { mergeHistograms, countStatusCodes }
