'use strict'

// npm run attacks: sends attacks to a server with this package and to one with
// body-parser, and compares their cost with that of a legal body.

const { clearOutput, writeJson } = require('../../tools/atomic-write')
const { runCommand } = require('../../tools/command-line')
const { describeMachine } = require('../../tools/machine')
const attacks = require('./catalog')
const legal = require('./catalog/legal')
const options = require('./options')
const { headline, knownText, legend, rowText } = require('./table')
const targets = require('./targets')
const { faultsOf, isWithstood } = require('./verdict')

const OURS = 'fast-body-parser'
const COMPARED = [OURS, 'body-parser']

runCommand({
  usage: `npm run attacks -- [options]

Sends attacks to a server with this package's parsers, and to one with
body-parser 2.4.0, each a process of its own on the loopback interface.
Exit status: 0 if ours withstands all of them, 1 if not, 2 for wrong options.
`,
  options,
  failureStatus: 2,
  run: ({ values }) => main(values)
})

async function main ({ filter: selected, json, list }) {
  if (list) return console.log(attacks.map(({ name, what }) => `${name.padEnd(24)} ${what}`).join('\n'))
  if (json !== null) clearOutput([json])

  const run = require('./run')
  const measureOnce = remember(run)
  const rows = []
  console.log(headline)
  for (const attack of selected) {
    const row = await rowOf(attack, run, measureOnce)
    rows.push(row)
    console.log(rowText(row))
  }
  const failed = rows.filter(({ targets, known }) => !isWithstood(targets[OURS].faults, known))
  console.log(`\n${legend}\n\n${rows.length - failed.length} of ${rows.length} attacks withstood${knownText(rows)}`)
  if (json !== null) writeJson(json, { date: new Date().toISOString(), node: process.version, machine: describeMachine(), attacks: rows })
  process.exitCode = failed.length === 0 ? 0 : 1
}

/**
 * @param {import('./catalog').Attack} attack
 * @param {import('./run')} run
 * @param {import('./run')} measureOnce the same, but once for each attack and target
 * @returns {Promise<object>} the figures of both parsers
 */
async function rowOf (attack, run, measureOnce) {
  const { name, what, expect, known } = attack
  const results = {}
  for (const target of COMPARED) {
    const yardstick = await yardstickOf(attack, target, measureOnce)
    const judge = (seen) => ({ ...seen, legal: yardstick, faults: faultsOf(expect, seen, yardstick) })
    results[target] = judge(await measureOnce(attack, target))
    if (results[target].faults.includes('hold')) results[target] = judge(await run(attack, target)) // another process may have been the cause
  }
  return { name, what, expect, known, legal: attack.legal, targets: results }
}

async function yardstickOf (attack, target, measureOnce) {
  if (attack.legal in targets) return measureOnce(attack, attack.legal)
  const yardstick = legal[attack.legal]
  const seen = await measureOnce(yardstick, target)
  if (Object.keys(seen.outcomes).join() !== '200') throw new Error(`${yardstick.name} was not answered with 200: ${JSON.stringify(seen.outcomes)}`)
  return seen
}

/** Many attacks have the same yardstick, which is measured once. */
function remember (run) {
  const known = new Map()
  return async (attack, target) => {
    const key = `${attack.name} ${target}`
    if (!known.has(key)) known.set(key, await run(attack, target))
    return known.get(key)
  }
}
