'use strict'

const fs = require('node:fs')
const path = require('node:path')
const zlib = require('node:zlib')
const answers = require('./answers')

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

/** @returns {string[]} names of all scenarios, sorted */
function scenarioNames () {
  return fs.readdirSync(FOLDER).map((file) => path.basename(file, '.js')).sort()
}

/**
 * @param {string} name one of `scenarioNames()`
 * @returns {Scenario}
 * @throws {Error} if a payload has not the byte count that it states
 */
function loadScenario (name) {
  const scenario = { name, ...require(path.join(FOLDER, name)) }
  for (const request of scenario.requests) checkPayload(name, request)
  return scenario
}

function checkPayload (name, { body, bytes, coding }) {
  const plain = coding === undefined ? body : DECODERS[coding](body)
  if (plain.length !== bytes) {
    throw new Error(`scenario ${name}: a payload of ${plain.length} bytes says that it has ${bytes}`)
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

module.exports = { scenarioNames, loadScenario, checkPayload, expectedOf }
