'use strict'

const { execFileSync } = require('node:child_process')
const path = require('node:path')

const JSON_ALONE = 'ours, json alone'

const COLD = [
  { name: 'body-parser', id: 'body-parser' },
  { name: 'ours', id: '../index.js' },
  { name: JSON_ALONE, id: '../lib/types/json.js' }
]

/**
 * Loads a module and makes a JSON parser in a fresh process, again and again.
 *
 * @param {{ name: string, id: string }[]} modules what `require` gets
 * @param {object} settings
 * @param {string} settings.node path of the Node that runs the processes
 * @param {number} settings.rounds
 * @returns {Record<string, { times: number[], modules: number }>} ms, and how
 *   many modules of packages were loaded
 */
function measureCold (modules, { node, rounds }) {
  const results = Object.fromEntries(modules.map(({ name }) => [name, { times: [] }]))
  for (let round = 0; round < rounds; round++) {
    for (const { name, id } of modules) {
      const output = execFileSync(node, [path.join(__dirname, 'probe.js'), id], { encoding: 'utf8' })
      const { time, modules } = JSON.parse(output)
      results[name].times.push(time)
      results[name].modules = modules
    }
  }
  return results
}

module.exports = { COLD, JSON_ALONE, measureCold }
