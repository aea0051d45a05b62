'use strict'

const fs = require('node:fs')
const path = require('node:path')
const defaults = require('./defaults')
const { toText } = require('./files')
const { expectedOf } = require('./scenario')
const { writeWhole } = require('./temporary')

const PROCESSOR = path.join(__dirname, 'export', 'processor.js')

/**
 * Writes the scenarios as Artillery scripts, for load from many machines. Bodies
 * are in a file of their own, in base64: YAML and JSON cannot hold all bytes.
 *
 * @param {import('./scenario').Scenario[]} scenarios
 * @param {object} settings of arguments.js; `rate` and `duration` become the
 *   phase, `connections` the pool
 */
module.exports = function exportScripts (scenarios, { output, rate, duration, connections, urls }) {
  const folder = output === null ? path.join(defaults.results, 'artillery') : output.slice(0, -'.json'.length)
  fs.mkdirSync(folder, { recursive: true })
  fs.copyFileSync(PROCESSOR, path.join(folder, 'processor.js'))
  for (const scenario of scenarios) {
    writeWhole(path.join(folder, `${scenario.name}.json`), toText(scriptOf(scenario, { rate, duration, connections, urls })))
    writeWhole(path.join(folder, `${scenario.name}.requests.json`), toText(requestsOf(scenario)))
  }
  process.stdout.write(`written: ${scenarios.map(({ name }) => path.join(folder, `${name}.json`)).join(' ')}\n`)
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
