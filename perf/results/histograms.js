'use strict'

const hdr = require('hdr-histogram-js')
const UserError = require('../../tools/user-error')

/**
 * @param {string} histogram encoded
 * @returns {import('hdr-histogram-js').Histogram}
 * @throws {UserError} if it cannot be read
 */
function decodeHistogram (histogram) {
  try {
    return hdr.decodeFromCompressedBase64(histogram)
  } catch (error) {
    throw new UserError(`a histogram of latency cannot be read: ${error.message ?? error}`)
  }
}

/** @param {string[]} histograms encoded */
function mergeHistograms (histograms) {
  const [merged, ...others] = histograms.map(decodeHistogram)
  for (const other of others) merged.add(other)
  return merged
}

module.exports = { decodeHistogram, mergeHistograms }
