'use strict'

// npm run attacks:streams: sends attacks so many times a second, beside
// innocents, to a server with this package and to one with body-parser.

const { clearOutput, writeJson } = require('../../../tools/atomic-write')
const { runCommand } = require('../../../tools/command-line')
const { describeMachine } = require('../../../tools/machine')
const options = require('./options')
const { headline, legend, rowText } = require('./table')
const faultsOf = require('./verdict')

const OURS = 'fast-body-parser'
const COOPERATIVE = 'fast-body-parser, cooperative'
const THEIRS = 'body-parser'
const TRIES = 3 // a fault must show in each of them

runCommand({
  usage: `npm run attacks:streams -- [options]

Sends each attack so many times a second, for some seconds, while innocent
clients post small bodies 200 times a second: to servers with this package's
parsers and with body-parser 2.4.0, in turns. Compares how busy the main threads
are, and how long the innocents wait.
Exit status: 0 if ours is no busier, and its innocents wait no longer; 1 if not;
2 for wrong options.
`,
  options,
  failureStatus: 2,
  run: ({ values }) => main(values)
})

async function main ({ filter: selected, json, list, ...settings }) {
  if (list) return console.log(selected.map(({ name, what }) => `${name.padEnd(26)} ${what}`).join('\n'))
  if (json !== null) clearOutput([json])

  const rows = []
  console.log(headline)
  for (const stream of selected) {
    const row = await rowOf(stream, { ...settings, parser: settings.parser ?? undefined })
    rows.push(row)
    console.log(rowText(row))
  }
  const failed = rows.filter(({ faults }) => faults.length > 0)
  console.log(`\n${legend}\n\n${rows.length - failed.length} of ${rows.length} streams withstood`)
  if (json !== null) writeJson(json, { date: new Date().toISOString(), node: process.version, machine: describeMachine(), settings, streams: rows })
  process.exitCode = failed.length === 0 ? 0 : 1
}

/** What else the machine does can look like a fault, so a fault is measured again. */
async function rowOf (stream, settings) {
  const { run } = require('./run')
  const { name, what } = stream
  const targets = [OURS, ...stream.cooperative ? [COOPERATIVE] : [], THEIRS]
  let row
  for (let left = TRIES; left > 0; left--) {
    const { rate, targets: loads } = await run(stream, targets, settings)
    const { [OURS]: ours, [THEIRS]: theirs, [COOPERATIVE]: cooperative } = loads
    const seen = [
      ...faultsOf(stream, ours, theirs),
      ...cooperative === undefined ? [] : faultsOf(stream, cooperative, theirs, ['p50', 'p99']).map((fault) => `${fault} (cooperative)`)
    ]
    const faults = row === undefined ? seen : row.faults.filter((fault) => seen.includes(fault))
    row = { name, what, rate, ours, theirs, cooperative, faults }
    if (faults.length === 0) break
  }
  return row
}
