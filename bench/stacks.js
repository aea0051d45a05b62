'use strict'

// Small JSON through whole stacks: node bench/stacks.js

const { clearOutput, readJson, writeFile, writeJson } = require('../tools/atomic-write')
const { fileName, number, runCommand, wholeNumber } = require('../tools/command-line')
const { NODE, nodeFor } = require('./node-option')
const installPackages = require('./packages')

const FORMAT = 'fast-body-parser/stacks/1'

const TITLE = `# Whole stacks

Small JSON (274 B), parsed and answered: CPU time per request in a closed loop and at a rate of random arrivals, with
latency at that rate. \`node bench/stacks.js --summary=bench/stacks.md\` writes this file ([README](README.md)).

![CPU time of one small JSON request through a whole stack](charts/stacks.svg)
`

runCommand({
  usage: 'Small JSON through whole stacks, in turn.\n\n  node bench/stacks.js\n  node bench/stacks.js --from=stacks.json --chart=bench/charts/stacks.svg\n',
  options: {
    sets: { value: 'N', read: wholeNumber(1, 20), default: 2, help: 'of new processes' },
    rounds: { value: 'N', read: wholeNumber(1, 1000), default: 6, help: 'turns of each server in a set, of either load' },
    seconds: { value: 'S', read: number(0.05, 60), default: 1, help: 'of a turn' },
    'warm-up': { value: 'S', read: number(0.1, 120), default: 8, help: 'of load on each server before it is measured' },
    connections: { value: 'N', read: wholeNumber(1, 1000), default: 50, help: 'of each server' },
    rate: { value: 'N', read: number(1, 1e6), default: 3000, help: 'requests/s of the open loop, at random' },
    node: NODE,
    json: { value: 'FILE', read: fileName('.json'), help: 'write what was measured to FILE' },
    from: { value: 'FILE', read: fileName('.json'), help: 'measure nothing, show what --json wrote' },
    summary: { value: 'FILE', read: fileName('.md'), help: 'write the table to FILE, in Markdown' },
    chart: { value: 'FILE', read: fileName('.svg'), help: 'draw the CPU time per request' }
  },
  async run ({ values: { node: version, json, from, summary, chart, ...settings } }) {
    clearOutput([json, summary, chart].filter((file) => file !== null))
    installPackages()
    const { measureStacks } = require('./servers/measure-stacks')
    const textTable = require('../tools/text-table')
    const { renderStacks, tableOf } = require('./servers/stacks-report')
    const result = from === null ? { format: FORMAT, ...await measureStacks(await nodeFor(version), settings) } : readJson(from, FORMAT)
    const { about, head, rows } = tableOf(result)
    console.log(`${about}\n${textTable(head, rows, { border: true })}`)
    if (summary !== null) writeFile(summary, `${TITLE}\n${about}\n\n${textTable.markdownTable(head, rows)}\n`)
    if (json !== null) writeJson(json, result)
    if (chart !== null) writeFile(chart, renderStacks(result))
  }
})
