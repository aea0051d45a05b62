'use strict'

const hdr = require('hdr-histogram-js')
const Failure = require('./failure')

/**
 * @param {string[]} histograms encoded
 * @returns {import('hdr-histogram-js').Histogram}
 * @throws {Failure} if one cannot be read
 */
function mergeHistograms (histograms) {
  const [merged, ...others] = histograms.map(decode)
  for (const other of others) merged.add(other)
  return merged
}

function decode (histogram) {
  try {
    return hdr.decodeFromCompressedBase64(histogram)
  } catch (error) {
    throw new Failure(`a histogram of latency cannot be read: ${error.message ?? error}`)
  }
}

module.exports = mergeHistograms
