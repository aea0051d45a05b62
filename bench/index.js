'use strict'

// npm run bench: what a parser costs in one process, beside its peers.

const { clearOutput, writeJson } = require('../tools/atomic-write')
const { fileName, runCommand } = require('../tools/command-line')
const { ensurePackages, NODE, nodeFor } = require('../tools/npm')
const textTable = require('../tools/text-table')
const UserError = require('../tools/user-error')

runCommand({
  usage: 'What a parser costs in one process, beside its peers: twenty minutes, or five with --quick.\n\n  npm run bench -- [options]\n',
  options: {
    filter: { value: 'TEXT', default: '', help: 'only what has TEXT in its name: json, form, cold, ...' },
    express: { help: "requests with Express's prototype, as an Express app makes them" },
    node: NODE,
    json: { value: 'FILE', read: fileName('.json'), help: 'write every sample to FILE' },
    quick: { help: 'fewer and shorter rounds: a first look' }
  },
  async run ({ values: { json, node, ...values } }) {
    if (json !== null) clearOutput([json])
    ensurePackages(__dirname)
    const { run } = require('./suite/run')
    const { tablesOf } = require('./suite/tables')
    const { results, failures } = await run({ ...values, node: await nodeFor(node) })
    if (json !== null) writeJson(json, JSON.parse(JSON.stringify(results, round)))
    console.log(`Node ${results.node}, ${results.machine}, ${results.requests} requests`)
    for (const { title, head, rows } of tablesOf(results)) console.log(`${title}\n${textTable(head, rows, { border: true })}`)
    if (failures.length > 0) throw new UserError(`not everything could be measured\n${failures.join('\n')}`)
  }
})

/** Six digits are more than the noise leaves. */
function round (key, value) {
  return typeof value === 'number' && !Number.isInteger(value) ? Number(value.toPrecision(6)) : value
}
