'use strict'

const { oneOf, SEED, someOf, wholeNumber } = require('../../tools/command-line')
const { existingFile } = require('../fuzz/options')
const faults = require('./faults')
const { names } = require('./target')

/** @type {Record<string, import('../../tools/command-line').Option>} */
module.exports = {
  filter: { value: 'A,B', read: someOf(names), default: () => names, help: `some of the targets ${names.join(', ')}` },
  seconds: { value: 'N', read: wholeNumber(1, 86_400), default: 60, help: 'for each target' },
  runs: { value: 'N', read: wholeNumber(1, 1e9), default: () => Infinity, help: 'or as many inputs for each, if that is less' },
  seed: { ...SEED, help: 'of all that is random; with --fresh and --runs, the same run again' },
  fresh: { help: 'neither use nor keep inputs of earlier runs' },
  input: { value: 'FILE', read: existingFile, help: 'run this one input; needs --filter with one target' },
  'inject-fault': { value: 'NAME', read: oneOf(Object.keys(faults)), help: `that must be found, one of ${Object.keys(faults).join(', ')}` }
}
