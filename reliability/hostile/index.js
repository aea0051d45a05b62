'use strict'

// npm run hostile: sends attacks to a server of ours and to one of
// body-parser, and holds what they cost against what a legal body costs.

const fs = require('node:fs')
const os = require('node:os')
const { endWithThisProcess } = require('../../perf/children')
const { readArguments, HELP } = require('./arguments')
const attacks = require('./attacks')
const legal = require('./attacks/legal')
const run = require('./run')
const sides = require('./sides')
const { headline, knownText, legend, rowText } = require('./table')
const { faultsOf, isWithstood } = require('./verdict')

const SIDES = ['fast-body-parser', 'body-parser']

async function main () {
  const settings = readArguments(process.argv.slice(2), attacks)
  if (settings.help) return console.log(HELP)
  if (settings.list) return console.log(attacks.map(({ name, what }) => `${name.padEnd(24)} ${what}`).join('\n'))

  const measure = remember(run)
  const rows = []
  console.log(headline)
  for (const attack of settings.attacks) {
    const row = await rowOf(attack, measure)
    rows.push(row)
    console.log(rowText(row))
  }
  const failed = rows.filter(({ sides, known }) => !isWithstood(sides[SIDES[0]].faults, known))
  console.log(`\n${legend}\n\n${rows.length - failed.length} of ${rows.length} attacks withstood${knownText(rows)}`)
  if (settings.json !== null) fs.writeFileSync(settings.json, `${JSON.stringify(resultOf(rows), null, 2)}\n`)
  process.exitCode = failed.length === 0 ? 0 : 1
}

/**
 * @param {import('./attacks').Attack} attack
 * @param {Function} measure
 * @returns {Promise<object>} how both sides took it
 */
async function rowOf (attack, measure) {
  const { name, what, expect, known } = attack
  const taken = {}
  for (const side of SIDES) {
    const yardstick = await yardstickOf(attack, side, measure)
    const judge = (seen) => ({ ...seen, legal: yardstick, faults: faultsOf(expect, seen, yardstick) })
    taken[side] = judge(await measure(attack, side))
    if (taken[side].faults.includes('hold')) taken[side] = judge(await run(attack, side)) // something else may have been at work
  }
  return { name, what, expect, known, legal: attack.legal, sides: taken }
}

async function yardstickOf (attack, side, measure) {
  if (attack.legal in sides) return measure(attack, attack.legal)
  const yardstick = legal[attack.legal]
  const seen = await measure(yardstick, side)
  if (Object.keys(seen.outcomes).join() !== '200') throw new Error(`${yardstick.name} was not answered with 200: ${JSON.stringify(seen.outcomes)}`)
  return seen
}

/** Yardsticks serve many attacks, but are run once. */
function remember (measure) {
  const known = new Map()
  return async (attack, side) => {
    const key = `${attack.name} ${side}`
    if (!known.has(key)) known.set(key, await measure(attack, side))
    return known.get(key)
  }
}

function resultOf (rows) {
  const { model } = os.cpus()[0] ?? {}
  return { date: new Date().toISOString(), node: process.version, platform: process.platform, cpu: model, cores: os.cpus().length, attacks: rows }
}

endWithThisProcess()
main().catch((error) => {
  console.error(`hostile: ${error.message}`)
  process.exitCode = 2
})
