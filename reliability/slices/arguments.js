'use strict'

const parseOptions = require('../command-line')
const planted = require('./plant')

const HELP = `npm run fuzz:slices -- [options]

Has random documents parsed in slices (lib/slices/), each cut at places of its
own, from one byte up, and holds what comes of it against JSON.parse: the value
with the order of its keys, or the message of the error.
Exit status: 0 if all are the same, 1 if not, 2 for wrong options.

  --documents=N    how many (10000)
  --seed=N         of the first document; the next has N + 1. By default of the clock
  --plant=NAME     a fault that must be found: ${Object.keys(planted).join(', ')}
  --help           this text`

const OPTIONS = {
  documents: { type: 'string', default: '10000' },
  seed: { type: 'string' },
  plant: { type: 'string' },
  help: { type: 'boolean', default: false }
}

/**
 * @param {string[]} args the command line
 * @returns {{ documents: number, seed: number, plant: string | null, help: boolean }}
 * @throws {Error} telling in one line what is wrong
 */
function readArguments (args) {
  const { documents, seed, plant, help } = parseOptions(args, OPTIONS)
  if (plant !== undefined && !Object.hasOwn(planted, plant)) throw new Error(`--plant must be one of ${Object.keys(planted).join(', ')}`)
  return {
    documents: readWhole('--documents', documents, 1, 1e9),
    seed: seed === undefined ? Date.now() % 1e9 : readWhole('--seed', seed, 0, 2 ** 31 - 1),
    plant: plant ?? null,
    help
  }
}

function readWhole (flag, text, least, most) {
  const number = /^\d+$/.test(text) ? Number(text) : NaN
  if (!(number >= least && number <= most)) throw new Error(`${flag} must be a whole number from ${least} to ${most}, not ${JSON.stringify(text)}`)
  return number
}

module.exports = { readArguments, HELP }
