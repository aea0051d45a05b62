'use strict'

const { oneOf, SEED, wholeNumber } = require('../../tools/command-line')
const { PATH } = require('../fuzz/options')
const faults = require('./faults')

/** @type {Record<string, import('../../tools/command-line').Option>} */
module.exports = {
  documents: { value: 'N', read: wholeNumber(1, 1e9), default: 10_000, help: 'how many' },
  seed: { ...SEED, help: 'of the first 1,000 documents, the next 1,000 have N + 1; by default from the clock' },
  path: PATH,
  'inject-fault': { value: 'NAME', read: oneOf(Object.keys(faults)), help: `that must be found, one of ${Object.keys(faults).join(', ')}` }
}
