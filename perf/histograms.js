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

module.exports = mergeHistograms
