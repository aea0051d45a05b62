'use strict'

const { readJson } = require('../../tools/atomic-write')
const UserError = require('../../tools/user-error')
const findMismatch = require('../../tools/validate')
const { FORMAT } = require('./result')

/** The fields of a result that are read; see result.js. */
const SHAPE = {
  run: 'string',
  options: { duration: 'number', lead: 'number', warmup: 'number', overrides: {} },
  resolved: {},
  serverMetadata: {},
  serverResults: {},
  clientResults: [{ title: 'string', statusCodeStats: {} }],
  skipped: {},
  scenarios: [{
    name: 'string',
    about: 'string',
    load: { connections: 'number' },
    warnings: {},
    runs: [{ run: 'number' }],
    blocks: [{ run: 'number', round: 'number', rps: 'number', throughput: 'number', latency: { mean: 'number', p50: 'number', p99: 'number' }, histogram: 'string' }]
  }]
}

/**
 * @param {string} file
 * @returns {object} the result in it
 * @throws {UserError} if there is none, or an incomplete one
 */
module.exports = function loadResult (file) {
  const result = readJson(file, FORMAT)
  const place = findMismatch(result, SHAPE) ?? findMissing(result)
  if (place !== null) throw new UserError(`${file} is no complete result: see its ${place.slice(1)}`)
  return result
}

function findMissing ({ scenarios, serverResults, clientResults }) {
  for (const { name } of scenarios) {
    if (!(name in serverResults)) return `.serverResults.${name}`
    if (!clientResults.some(({ title }) => title === name)) return `.clientResults, which lack ${name}`
  }
  return null
}
