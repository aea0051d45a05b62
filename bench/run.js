'use strict'

const { execFileSync } = require('node:child_process')
const fs = require('node:fs')
const os = require('node:os')
const path = require('node:path')
const { competitors } = require('./competitors')
const { COLD, measureCold } = require('./cold')
const { judge, judgeCold } = require('./floors')
const measureRow = require('./measure')
const rows = require('./rows')
const { bytesTable, coldTable, floorsTable, timesTable } = require('./table')

const FULL = { rounds: 30, roundTime: 5, warmUp: 250, coldRounds: 9 } // times in ms
const QUICK = { rounds: 10, roundTime: 4, warmUp: 150, coldRounds: 3 }

/**
 * Measures everything whose name has the filter in it, and prints it.
 *
 * @param {object} settings those of arguments.js, `node` being the path of the
 *   Node to run
 */
async function run (settings) {
  const how = { ...settings, ...(settings.quick ? QUICK : FULL) }
  const version = execFileSync(how.node, ['--version'], { encoding: 'utf8' }).trim()
  const machine = `Node ${version}, ${os.cpus()[0].model}, ${os.cpus().length} cores`
  const chosen = rows.filter(({ name }) => name.includes(how.filter))
  const cold = 'cold'.includes(how.filter)
  if (chosen.length === 0 && !cold) throw new Error(`nothing has "${how.filter}" in its name`)

  const measured = []
  for (const row of chosen) measured.push(await measureRow(row, competitors, how))
  const names = competitors.map(({ name }) => name)
  console.log(`${machine}, ${how.express ? "Express's" : 'plain'} requests`)
  if (measured.length > 0) console.log(timesTable(measured, names))
  if (measured.some(({ results }) => results.ours.bytes)) console.log(bytesTable(measured, names))
  const coldResults = cold ? measureCold(COLD, { node: how.node, rounds: how.coldRounds }) : null
  if (cold) console.log(coldTable(coldResults))
  console.log(floorsTable([...measured.flatMap(judge), ...(cold ? judgeCold(coldResults) : [])]))
  if (how.json !== undefined) {
    fs.writeFileSync(path.resolve(how.json), JSON.stringify({ machine, version, express: how.express, rows: measured, cold: coldResults }, null, 2))
  }
}

module.exports = run
