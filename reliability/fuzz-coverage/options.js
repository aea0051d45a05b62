'use strict'

const fs = require('node:fs')
const path = require('node:path')
const { oneOf, SEED, someOf, wholeNumber } = require('../../tools/command-line')
const UserError = require('../../tools/user-error')
const faults = require('./faults')
const { names } = require('./target')

/** @type {Record<string, import('../../tools/command-line').Option>} */
const options = {
  filter: { value: 'A,B', read: someOf(names), default: () => names, help: `targets: some of ${names.join(', ')}` },
  seconds: { value: 'N', read: wholeNumber(1, 86_400), default: 60, help: 'for each target' },
  runs: { value: 'N', read: wholeNumber(1, 1e9), default: () => Infinity, help: 'inputs for each target, if that takes less time' },
  seed: { ...SEED, help: 'of all that is random; with --fresh and --runs, the same run again; by default from the clock' },
  fresh: { help: 'neither use nor keep inputs of earlier runs' },
  input: { value: 'FILE', read: existingFile, help: 'run this one input; needs --filter with one target' },
  'inject-fault': { value: 'NAME', read: oneOf(Object.keys(faults)), help: `that must be found, one of ${Object.keys(faults).join(', ')}` }
}

function existingFile (file) {
  if (!fs.existsSync(file)) throw new UserError(`must be a file that exists, not ${JSON.stringify(file)}`)
  return path.resolve(file)
}

/**
 * @param {{ input: string | null, filter: string[] }} values
 * @throws {UserError}
 */
function requireOneTarget ({ input, filter }) {
  if (input !== null && filter.length !== 1) throw new UserError('--input needs --filter with one target')
}

module.exports = { options, requireOneTarget }
