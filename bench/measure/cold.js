'use strict'

const { execFileSync } = require('node:child_process')
const path = require('node:path')

/** Modules to load; `makes`: also create a JSON parser. */
const MODULES = [
  { name: 'ours', id: '../../index.js', makes: true },
  { name: 'ours, json alone', id: '../../lib/types/json.js', makes: true },
  { name: 'body-parser', id: 'body-parser', makes: true },
  { name: 'body-parser, json alone', id: 'body-parser/lib/types/json.js', makes: true },
  { name: 'body-parser 1', id: 'body-parser-1', makes: true },
  { name: 'milliparsec', id: 'milliparsec', makes: true },
  { name: 'co-body', id: 'co-body' },
  { name: 'fastify', id: 'fastify/lib/content-type-parser.js' }
]

/**
 * Loads each module in a fresh process, again and again.
 *
 * @param {object} settings
 * @param {string} settings.node path of the Node that runs the processes
 * @param {number} settings.coldRounds
 * @returns {Record<string, { times: number[], modules: number }>} ms, and how
 *   many modules were loaded
 */
function measureCold ({ node, coldRounds }) {
  const results = Object.fromEntries(MODULES.map(({ name }) => [name, { times: [] }]))
  for (let round = 0; round < coldRounds; round++) {
    for (const { name, id, makes = false } of MODULES) {
      const { time, modules } = probe(node, id, makes)
      results[name].times.push(time)
      results[name].modules = modules
    }
  }
  return results
}

function probe (node, id, makes) {
  const script = path.join(__dirname, 'cold-probe.js')
  const output = execFileSync(node, ['--no-warnings', script, id, String(makes)], { encoding: 'utf8' })
  return JSON.parse(output)
}

module.exports = measureCold
