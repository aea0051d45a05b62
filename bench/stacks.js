'use strict'

// Small JSON through whole stacks: npm run bench:stacks

const path = require('node:path')
const { clearOutput, writeFile } = require('../tools/atomic-write')
const { fileName, runCommand, wholeNumber } = require('../tools/command-line')
const { withLab } = require('../tools/lab')
const { commitText, describeCommit, describeMachine } = require('../tools/machine')
const { install, NODE, nodeFor } = require('../tools/npm')
const { createProgress } = require('../tools/progress')
const { shuffle } = require('../tools/random')
const { interquartileRange, median } = require('../tools/statistics')
const textTable = require('../tools/text-table')

const APP = path.join(__dirname, 'stacks-app.js')
const CONNECTIONS = 50
const SAMPLES = 5 // in each process
const AMOUNT = 5000 // requests of a sample
const WARM_UP = 1500 // ms of CPU time
const TITLE = `# Whole stacks

Small JSON (274 B), parsed and answered, in a closed loop: CPU time per request.
\`npm run bench:stacks -- --node=24 --summary=bench/stacks.md\` writes this file ([README](README.md)).
`

runCommand({
  usage: 'Small JSON through whole stacks, in turn: four minutes.\n\n  npm run bench:stacks -- --node=24\n',
  options: {
    trials: { value: 'N', read: wholeNumber(1, 1000), default: 10, help: 'each with new processes' },
    node: NODE,
    summary: { value: 'FILE', read: fileName('.md'), help: 'write the table to FILE, in Markdown' }
  },
  async run ({ values: { node: version, summary, ...settings } }) {
    if (summary !== null) clearOutput([summary])
    await install(__dirname, 'the packages of bench/ cannot be installed')
    const node = await nodeFor(version)
    const { about, head, rows } = tableOf(await measureStacks(node, settings), node, settings)
    console.log(`${about}\n${textTable(head, rows)}`)
    if (summary !== null) writeFile(summary, `${TITLE}\n${about}\n\n${textTable.markdownTable(head, rows)}\n`)
  }
})

/** @returns {Promise<{ name: string, checks: string[], packages: string[], trials: { cpu: number, rps: number }[] }[]>} */
async function measureStacks (node, { trials }) {
  const { answerTo, stacks } = require('./stacks-app')
  const { json } = require('./rows/bodies')
  const body = json(274)
  const request = {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: body.bytes,
    expected: { status: 200, body: JSON.stringify(answerTo(body.value)) }
  }
  const measured = stacks.map(({ name, checks, packages }) => ({ name, checks, packages, trials: [] }))
  const progress = createProgress()
  await withLab(async (lab) => {
    for (let trial = 0; trial < trials; trial++) {
      for (const stack of shuffle([...measured], Math.random)) {
        progress.update(trial / trials, stack.name)
        const server = await lab.start({ name: stack.name, app: APP, settings: { stack: stack.name }, node: node.path })
        await server.connect([request], CONNECTIONS)
        await server.warmUp(WARM_UP)
        const seen = []
        for (let i = 0; i < SAMPLES; i++) seen.push(await server.load({ amount: AMOUNT }))
        stack.trials.push({ cpu: median(seen.map(({ cpu }) => cpu)), rps: median(seen.map(({ rps }) => rps)) })
        await lab.stopServers()
      }
    }
  })
  progress.stop()
  return measured
}

function tableOf (stacks, node, { trials }) {
  const { versionOf } = require('./competitors')
  const { cpu, cores } = describeMachine()
  const date = new Date().toISOString().slice(0, 10)
  return {
    about: `Node ${node.version}, ${cpu.trim()}, ${cores} cores, ${CONNECTIONS} connections, medians of ${trials} trials, ${date}, commit ${commitText(describeCommit(path.join(__dirname, '..')))}.`,
    head: ['stack', 'checks', 'µs of CPU', 'requests/s'],
    rows: stacks.map(({ name, packages, checks, trials }) => {
      const costs = trials.map(({ cpu }) => cpu)
      return [
        [name, ...packages.map((id) => `${id} ${versionOf(id)}`)].join('\n'),
        checks.join('\n') || 'none',
        `${median(costs).toFixed(1)} ±${(interquartileRange(costs) / 2).toFixed(1)}`,
        Math.round(median(trials.map(({ rps }) => rps))).toLocaleString('en')
      ]
    })
  }
}
