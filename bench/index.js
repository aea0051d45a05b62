'use strict'

// npm run bench: what a parser costs in one process, beside its peers.

const { clearOutput, writeFile, writeJson } = require('../tools/atomic-write')
const { fileName, runCommand } = require('../tools/command-line')
const { install, NODE, nodeFor } = require('../tools/npm')
const textTable = require('../tools/text-table')
const UserError = require('../tools/user-error')

runCommand({
  usage: 'What a parser costs in one process, beside its peers: twenty minutes, or five with --quick.\n\n  npm run bench -- [options]\n',
  options: {
    filter: { value: 'TEXT', default: '', help: 'only what has TEXT in its name: json, form, cold, ...' },
    node: NODE,
    json: { value: 'FILE', read: fileName('.json'), help: 'write every sample to FILE' },
    summary: { value: 'FILE', read: fileName('.md'), help: 'write the tables that are kept in git to FILE' },
    quick: { help: 'fewer and shorter rounds: a first look' }
  },
  async run ({ values: { json, summary, node, ...values } }) {
    clearOutput([json, summary].filter((file) => file !== null))
    await install(__dirname, 'the packages of bench/ cannot be installed')
    const run = require('./suite/run')
    const { summaryOf, tablesOf } = require('./suite/tables')
    const { results, failures } = await run({ ...values, node: await nodeFor(node) })
    if (json !== null) writeJson(json, results)
    if (summary !== null) writeFile(summary, summaryOf(results))
    console.log(`Node ${results.node}, ${results.machine}`)
    for (const { title, head, rows } of tablesOf(results)) console.log(`${title}\n${textTable(head, rows)}`)
    if (failures.length > 0) throw new UserError(`not everything could be measured\n${failures.join('\n')}`)
  }
})
