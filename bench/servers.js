'use strict'

// What rows predict, and what a server measures: node bench/servers.js

const path = require('node:path')
const { clearOutput, writeFile } = require('../tools/atomic-write')
const { fileName, runCommand } = require('../tools/command-line')
const { commitText, describeCommit, describeMachine } = require('../tools/machine')
const { createProgress } = require('../tools/progress')
const UserError = require('../tools/user-error')
const { NODE, nodeFor } = require('./node-option')
const installPackages = require('./packages')

const ROWS = [
  'json 274 B, as a server feeds it', 'json 6.5 KB', 'json 208 KB, 64 KB chunks', 'json 274 B, gzip', 'json 6.5 KB, gzip',
  'text 274 B', 'raw 60 KB', 'form, 5 fields', 'form, 50 nested fields', 'GET through 4 parsers, headers unread',
  'json 274 B, behind a form parser', 'refused: over the limit by its length', 'refused: bad JSON', 'refused: wrong charset'
]
const FULL = { // times in ms
  connections: 50, server: { lead: 200, time: 700, warmUp: 4000, rounds: 8 }, row: { rounds: 9, again: 1, roundTime: 4, warmUp: 200 }
}
const QUICK = { connections: 50, server: { lead: 50, time: 150, warmUp: 500, rounds: 3 }, row: { rounds: 5, again: 0, roundTime: 3, warmUp: 100 } }

const TITLE = `# Rows in a server

What a row predicts that this package saves beside body-parser, and what a server measures: CPU time on plain node:http.
\`node bench/servers.js --summary=bench/servers.md\` writes this file ([README](README.md)).
`

runCommand({
  usage: 'What rows predict, and what a server measures.\n\n  node bench/servers.js\n',
  options: {
    filter: { value: 'TEXT', default: '', help: 'only rows with TEXT in their names' },
    node: NODE,
    summary: { value: 'FILE', read: fileName('.md'), help: 'write the table to FILE, in Markdown' },
    quick: { help: 'fewer and shorter rounds: a first look' }
  },
  async run ({ values: { filter, node: version, summary, quick } }) {
    const names = ROWS.filter((name) => name.includes(filter))
    if (names.length === 0) throw new UserError(`no row has "${filter}" in its name`)
    if (summary !== null) clearOutput([summary])
    installPackages()
    const { path: node, version: nodeVersion } = await nodeFor(version)
    const textTable = require('../tools/text-table')
    const { compareRow, HEAD, linesOf } = require('./servers/rows')
    const settings = quick ? QUICK : FULL
    const progress = createProgress()
    const results = []
    for (const [index, name] of names.entries()) {
      progress.update(index / names.length, name)
      results.push(await compareRow(name, node, settings))
    }
    progress.stop()
    const about = describe(nodeVersion, settings)
    console.log(`${about}\n${textTable(HEAD, linesOf(results), { border: true })}`)
    if (summary !== null) writeFile(summary, `${TITLE}\n${about}\n\n${textTable.markdownTable(HEAD, linesOf(results))}\n`)
  }
})

function describe (node, { connections, server: { rounds } }) {
  const { cpu, cores } = describeMachine()
  const commit = commitText(describeCommit(path.join(__dirname, '..')))
  return `Node ${node}, ${cpu.trim()}, ${cores} cores, ${connections} connections, medians of ${rounds} turns, commit ${commit}.`
}
