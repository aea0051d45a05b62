'use strict'

// What the messages of errors are made of.

const UNITS = [['TB', 2 ** 40], ['GB', 2 ** 30], ['MB', 2 ** 20], ['KB', 2 ** 10]]

/** @returns {string} in the largest unit that gives at most two decimals: `1.5 MB`, `1025 bytes` */
exports.formatSize = function formatSize (bytes) {
  const isExact = ([, size]) => bytes >= size && Number.isInteger(bytes / size * 100)
  const [unit, size] = UNITS.find(isExact) ?? [bytes === 1 ? 'byte' : 'bytes', 1]
  return `${bytes / size} ${unit}`
}
