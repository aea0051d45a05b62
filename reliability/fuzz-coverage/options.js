'use strict'

const fs = require('node:fs')
const parseOptions = require('../command-line')
const planted = require('./plant')
const { names } = require('./target')

const HELP = `npm run fuzz:coverage -- [options]

Runs parts of lib/ on inputs that are made of those which led to something new
in it, and holds each answer against that of body-parser, qs or zlib.
Exit status: 0 if all answers are right, 1 if not, 2 for wrong options.

  --filter=A,B     targets (${names.join(', ')})
  --seconds=N      for each target (60)
  --runs=N         or as many inputs for each, if that is less
  --seed=N         of what is random; with --fresh and --runs, the same run again
  --fresh          neither use nor keep inputs of earlier runs
  --input=FILE     run this one input; needs --filter with one target
  --plant=NAME     a fault that must be found: ${Object.keys(planted).join(', ')}
  --help           this text`

const OPTIONS = {
  filter: { type: 'string' },
  seconds: { type: 'string', default: '60' },
  runs: { type: 'string' },
  seed: { type: 'string' },
  fresh: { type: 'boolean', default: false },
  input: { type: 'string' },
  plant: { type: 'string' },
  help: { type: 'boolean', default: false }
}

/**
 * @param {string[]} args the command line
 * @returns {{ targets: string[], seconds: number, runs: number, seed: number, fresh: boolean, input: string | null, plant: string | null, help: boolean }}
 * @throws {Error} telling in one line what is wrong
 */
function readArguments (args) {
  const { filter, seconds, runs, seed, fresh, input, plant, help } = parseOptions(args, OPTIONS)
  const targets = filter === undefined ? names : filter.split(',')
  const unknown = targets.find((name) => !names.includes(name))
  if (unknown !== undefined) throw new Error(`--filter: there is no target ${JSON.stringify(unknown)}, but ${names.join(', ')}`)
  if (plant !== undefined && !Object.hasOwn(planted, plant)) throw new Error(`--plant must be one of ${Object.keys(planted).join(', ')}`)
  if (input !== undefined && targets.length !== 1) throw new Error('--input needs --filter with one target')
  if (input !== undefined && !fs.existsSync(input)) throw new Error(`--input: there is no ${JSON.stringify(input)}`)
  return {
    targets,
    seconds: readWhole('--seconds', seconds, 86_400),
    runs: runs === undefined ? Infinity : readWhole('--runs', runs, 1e9),
    seed: seed === undefined ? Date.now() % 1e9 : readWhole('--seed', seed, 2 ** 31 - 1),
    fresh,
    input: input ?? null,
    plant: plant ?? null,
    help
  }
}

function readWhole (flag, text, most) {
  const number = /^\d+$/.test(text) ? Number(text) : NaN
  if (!(number >= 1 && number <= most)) throw new Error(`${flag} must be a whole number from 1 to ${most}, not ${JSON.stringify(text)}`)
  return number
}

module.exports = { readArguments, HELP }
