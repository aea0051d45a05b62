'use strict'

const fs = require('node:fs')
const path = require('node:path')
const { SEED, wholeNumber } = require('../../tools/command-line')
const UserError = require('../../tools/user-error')

const ROOT = path.join(__dirname, '../..')

/** A single case of a seed, as fast-check names it. */
const PATH = { value: 'P', read: casePath, help: 'one case again, as a report names it; needs its --seed' }

/** @type {Record<string, import('../../tools/command-line').Option>} */
const options = {
  cases: { value: 'N', read: wholeNumber(1, 1e9), default: 10_000, help: 'how many' },
  seed: { ...SEED, help: 'of the first 100 cases, the next 100 have N + 1; by default from the clock' },
  path: PATH,
  'keep-going': { help: 'do not stop at the first difference' },
  subject: { value: 'FILE', read: existingFile, default: () => ROOT, help: 'a module to test instead of this package' },
  quiet: { help: 'no progress' }
}

function casePath (text) {
  if (!/^\d+(:\d+)*$/.test(text)) throw new UserError(`must be numbers with colons between, not ${JSON.stringify(text)}`)
  return text
}

function existingFile (file) {
  if (!fs.existsSync(file)) throw new UserError(`must be a file that exists, not ${JSON.stringify(file)}`)
  return path.resolve(file)
}

/**
 * @param {Set<string>} given names of options
 * @throws {UserError}
 */
function requireSeed (given) {
  if (given.has('path') && !given.has('seed')) throw new UserError('--path needs the --seed that was printed with it')
}

module.exports = { existingFile, options, PATH, requireSeed }
