'use strict'

const path = require('node:path')
const parseOptions = require('../command-line')
const planted = require('./plant')

const FRAMEWORKS = ['http', 'express']
const LEAST = 0.02 // minutes
const MOST = 24 * 60

const HELP = `npm run soak -- [options]

Sends a mix of valid, invalid, aborted and compressed requests as fast as it
can, and looks at the idle server again and again: heap, buffers and handles
must not grow, every answer be right, and no warning, rejection or exception come.
Exit status: 0 if so, 1 if not, 2 for wrong options.

  --minutes=N         how long (10)
  --framework=NAME    ${FRAMEWORKS.join(' or ')} (${FRAMEWORKS[0]})
  --seed=N            of the order of the requests
  --json=FILE         write all samples there
  --plant=NAME        a fault that must be found: ${Object.keys(planted).join(', ')}
  --help              this text`

const OPTIONS = {
  minutes: { type: 'string', default: '10' },
  framework: { type: 'string', default: FRAMEWORKS[0] },
  seed: { type: 'string' },
  json: { type: 'string' },
  plant: { type: 'string' },
  help: { type: 'boolean', default: false }
}

/**
 * @param {string[]} args the command line
 * @returns {{ minutes: number, framework: string, seed: number, json: string | null, plant: string | null, help: boolean }}
 * @throws {Error} telling in one line what is wrong
 */
function readArguments (args) {
  const { minutes, framework, seed, json, plant, help } = parseOptions(args, OPTIONS)
  if (!(Number(minutes) >= LEAST && Number(minutes) <= MOST)) {
    throw new Error(`--minutes must be a number from ${LEAST} to ${MOST}, not ${JSON.stringify(minutes)}`)
  }
  if (!FRAMEWORKS.includes(framework)) throw new Error(`--framework must be ${FRAMEWORKS.join(' or ')}, not ${JSON.stringify(framework)}`)
  if (plant !== undefined && !Object.hasOwn(planted, plant)) throw new Error(`--plant must be one of ${Object.keys(planted).join(', ')}`)
  if (seed !== undefined && !/^\d{1,9}$/.test(seed)) throw new Error('--seed must be a whole number of at most 9 digits')
  if (json === '') throw new Error('--json needs the name of a file')
  return {
    minutes: Number(minutes),
    framework,
    seed: seed === undefined ? Date.now() % 1e9 : Number(seed),
    json: json === undefined ? null : path.resolve(json),
    plant: plant ?? null,
    help
  }
}

module.exports = { readArguments, HELP }
