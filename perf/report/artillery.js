'use strict'

const fs = require('node:fs')
const path = require('node:path')
const { writeJson } = require('../../tools/atomic-write')
const UserError = require('../../tools/user-error')
const defaults = require('../defaults')
const { expectedOf } = require('../scenarios')

const PROCESSOR = path.join(__dirname, 'artillery-processor.js')

/**
 * Writes the scenarios as Artillery scripts, for load from many machines. The
 * requests are in a file of their own, with bodies in base64, as YAML and JSON
 * cannot hold all bytes.
 *
 * @param {import('../scenarios').Scenario[]} scenarios
 * @param {object} settings of options.js; the first rate and `duration` become
 *   the phase, the last connections the pool
 */
module.exports = function exportScripts (scenarios, { output, loads, duration, urls }) {
  const rate = loads.find((load) => load.rate !== null)?.rate
  const { connections } = loads.at(-1)
  const folder = output === null ? path.join(defaults.output, 'artillery') : output.slice(0, -'.json'.length)
  const usable = scenarios.filter(({ answer }) => answer !== 'echoAll') // Artillery adds header fields of its own
  if (usable.length === 0) throw new UserError(`${scenarios[0].name} sends the header back, which Artillery changes`)
  fs.mkdirSync(folder, { recursive: true })
  fs.copyFileSync(PROCESSOR, path.join(folder, 'processor.js'))
  for (const scenario of usable) {
    writeJson(path.join(folder, `${scenario.name}.json`), scriptOf(scenario, { rate, duration, connections, urls }))
    writeJson(path.join(folder, `${scenario.name}.requests.json`), requestsOf(scenario))
  }
  process.stdout.write(`written: ${usable.map(({ name }) => path.join(folder, `${name}.json`)).join(' ')}\n`)
}

function scriptOf ({ name, about, requests }, { rate, duration, connections, urls: [url] }) {
  return {
    config: {
      target: url ?? 'http://127.0.0.1:3000',
      phases: [{ name: about, duration: Math.ceil(duration), arrivalRate: Math.ceil((rate ?? 100) / requests.length) }],
      http: { timeout: defaults.requestTimeout, pool: connections },
      processor: './processor.js',
      variables: { scenario: name }
    },
    scenarios: [{
      name,
      beforeScenario: 'loadRequests',
      flow: requests.map(({ method }) => ({
        [method.toLowerCase()]: { url: '/', beforeRequest: 'fillRequest', afterResponse: 'checkResponse' }
      }))
    }]
  }
}

function requestsOf ({ requests, answer }) {
  return requests.map((request) => ({
    headers: request.headers,
    body: request.body.toString('base64'),
    chunks: request.chunks ?? null,
    expect: expectedOf(request, answer)
  }))
}
