'use strict'

const zlib = require('node:zlib')
const findMismatch = require('../../tools/validate')
const UserError = require('../../tools/user-error')
const defaults = require('../defaults')
const answers = require('./answers')
const catalogue = require('./catalogue')

const DECODERS = { gzip: zlib.gunzipSync, br: zlib.brotliDecompressSync }
const PARSERS = ['json', 'raw', 'text', 'urlencoded']

/**
 * @typedef {object} Scenario
 * @property {string} name
 * @property {string} about one line
 * @property {'http' | 'express4' | 'express5'} app
 * @property {Record<string, object>} parsers options by parser, in the order of the stack
 * @property {'tail' | 'echo' | 'echoAll'} answer see answers.js
 * @property {import('./requests').LoadRequest[]} requests sent in turn; in the catalogue, a function that makes them
 */
const SHAPE = {
  about: 'string',
  app: 'string',
  parsers: {},
  answer: 'string',
  requests: [{ method: 'string', headers: {}, body: {}, bytes: 'number' }]
}

/** A scenario that a target cannot run, or that says nothing about it: it is left out, and the others are measured. */
class SkipScenario extends UserError {}

/** @returns {string[]} sorted */
function scenarioNames () {
  return Object.keys(catalogue).sort()
}

/**
 * @param {string} name one of `scenarioNames()`
 * @returns {Scenario}
 * @throws {UserError} if the catalogue's entry is wrong
 */
function loadScenario (name) {
  const entry = catalogue[name]
  const scenario = { name, ...entry, requests: entry.requests() }
  checkScenario(scenario)
  for (const request of scenario.requests) checkPayload(name, request)
  for (const request of scenario.requests) checkAnswer(scenario, request)
  return scenario
}

/** @throws {UserError} */
function checkScenario (scenario) {
  const { name, app, parsers, answer } = scenario
  const place = findMismatch(scenario, SHAPE)
  if (place !== null) throw new UserError(`scenario ${name} needs another value of ${place.slice(1)}`)
  if (!(app in defaults.apps)) throw new UserError(`scenario ${name}: there is no app ${app}`)
  if (!(answer in answers)) throw new UserError(`scenario ${name}: there is no answer ${answer}`)
  const unknown = Object.keys(parsers).find((parser) => !PARSERS.includes(parser))
  if (unknown !== undefined) throw new UserError(`scenario ${name}: there is no parser ${unknown}`)
}

function checkPayload (name, { body, bytes, coding }) {
  const plain = coding === undefined ? body : DECODERS[coding](body)
  if (plain.length !== bytes) {
    throw new UserError(`scenario ${name}: a payload has ${plain.length} bytes, and declares ${bytes}`)
  }
}

/** Under load the answer must show that the body was parsed. */
function checkAnswer ({ name, answer }, { value, expect }) {
  if (answer !== 'tail' || value === undefined || expect !== undefined) return
  if (answers.tail(value) === answers.tail(undefined)) throw new UserError(`scenario ${name}: the answer tail needs a field \`last\` in the body`)
}

/**
 * The response that a request must get.
 *
 * @param {Scenario['requests'][0]} request
 * @param {Scenario['answer']} answer
 * @param {string} host that the request is sent to
 * @returns {{ status: number, body: string }} the body byte by byte, as latin1
 */
function expectedOf (request, answer, host) {
  if (request.expect !== undefined) return request.expect
  const body = answers[answer](request.value, headersOf(request, host))
  return { status: 200, body: Buffer.from(body).toString('latin1') }
}

/**
 * The header of a request as the server sees it. All drivers send the same
 * fields in the same order, which undici determines.
 *
 * @param {Scenario['requests'][0]} request
 * @param {string} host
 * @returns {Record<string, string>}
 */
function headersOf ({ method, headers, body, chunks }, host) {
  const fields = { host, connection: 'keep-alive' }
  for (const [name, value] of Object.entries(headers)) fields[name.toLowerCase()] = value
  if (chunks !== undefined) fields['transfer-encoding'] = 'chunked'
  else if (method !== 'GET') fields['content-length'] = String(body.length)
  return fields
}

module.exports = { SkipScenario, scenarioNames, loadScenario, checkScenario, checkPayload, checkAnswer, expectedOf, headersOf }
