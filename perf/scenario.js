'use strict'

const fs = require('node:fs')
const path = require('node:path')
const zlib = require('node:zlib')
const answers = require('./answers')
const defaults = require('./defaults')
const Failure = require('./failure')
const misfit = require('./shape')

const FOLDER = path.join(__dirname, 'scenarios')
const DECODERS = { gzip: zlib.gunzipSync, br: zlib.brotliDecompressSync }

/**
 * @typedef {object} Scenario
 * @property {string} name
 * @property {string} about one line
 * @property {'http' | 'express4' | 'express5'} app
 * @property {Record<string, object>} parsers options by parser, in the order of the stack
 * @property {'echo' | 'tail'} answer
 * @property {import('./requests').LoadRequest[]} requests sent in turn
 */

const PARSERS = ['json', 'raw', 'text', 'urlencoded']

const SCENARIO = {
  about: 'string',
  app: 'string',
  parsers: {},
  answer: 'string',
  requests: [{ method: 'string', headers: {}, body: {}, bytes: 'number' }]
}

/** @returns {string[]} names of all scenarios, sorted */
function scenarioNames () {
  return fs.readdirSync(FOLDER).filter((file) => file.endsWith('.js')).map((file) => path.basename(file, '.js')).sort()
}

/**
 * @param {string} name one of `scenarioNames()`
 * @returns {Scenario}
 * @throws {Failure} if it is not what a scenario must be
 */
function loadScenario (name) {
  const scenario = { name, ...requireScenario(name) }
  checkScenario(scenario)
  for (const request of scenario.requests) checkPayload(name, request)
  return scenario
}

function requireScenario (name) {
  try {
    return require(path.join(FOLDER, name))
  } catch (error) {
    throw new Failure(`scenario ${name} cannot be loaded: ${error.message.split('\n')[0]}`)
  }
}

/** @throws {Failure} */
function checkScenario (scenario) {
  const { name, app, parsers, answer } = scenario
  const place = misfit(scenario, SCENARIO)
  if (place !== null) throw new Failure(`scenario ${name} needs another value of ${place.slice(1)}`)
  if (!(app in defaults.apps)) throw new Failure(`scenario ${name}: there is no app ${app}`)
  if (!(answer in answers)) throw new Failure(`scenario ${name}: there is no answer ${answer}`)
  const unknown = Object.keys(parsers).find((parser) => !PARSERS.includes(parser))
  if (unknown !== undefined) throw new Failure(`scenario ${name}: there is no parser ${unknown}`)
}

function checkPayload (name, { body, bytes, coding }) {
  const plain = coding === undefined ? body : DECODERS[coding](body)
  if (plain.length !== bytes) {
    throw new Failure(`scenario ${name}: a payload of ${plain.length} bytes says that it has ${bytes}`)
  }
}

/**
 * What must come back for a request; the body byte by byte, as latin1.
 *
 * @param {Scenario['requests'][0]} request
 * @param {'echo' | 'tail'} answer
 * @returns {{ status: number, body: string }}
 */
function expectedOf (request, answer) {
  if (request.expect !== undefined) return request.expect
  return { status: 200, body: Buffer.from(answers[answer](request.value)).toString('latin1') }
}

module.exports = { scenarioNames, loadScenario, checkScenario, checkPayload, expectedOf }
