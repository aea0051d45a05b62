'use strict'

const Failure = require('./failure')
const { readJson } = require('./files')
const { FORMAT } = require('./result')
const misfit = require('./shape')

/** What is read of a result; see result.js. */
const RESULT = {
  run: 'string',
  options: { connections: 'number', duration: 'number', warmup: 'number', overrides: {} },
  told: {},
  serverMetadata: {},
  serverResults: {},
  clientResults: [{ title: 'string', statusCodeStats: {} }],
  scenarios: [{
    name: 'string',
    about: 'string',
    look: { number: 'number', pairs: 'number', share: 'number' },
    blocks: [{ round: 'number', rps: 'number', throughput: 'number', latency: { mean: 'number', p50: 'number', p99: 'number' }, histogram: 'string' }]
  }]
}

/**
 * @param {string} file
 * @returns {object} the result in it
 * @throws {Failure} if it is none, or not whole
 */
function readResult (file) {
  const result = readJson(file, FORMAT)
  const place = misfit(result, RESULT) ?? missing(result)
  if (place !== null) throw new Failure(`${file} is no whole result: see its ${place.slice(1)}`)
  return result
}

function missing ({ scenarios, serverResults, clientResults }) {
  for (const { name } of scenarios) {
    if (!(name in serverResults)) return `.serverResults.${name}`
    if (!clientResults.some(({ title }) => title === name)) return `.clientResults, which lack ${name}`
  }
  return null
}

module.exports = readResult
