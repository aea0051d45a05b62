'use strict'

// npm run bench -- stacks: small JSON through whole stacks.

const { withLab } = require('../tools/lab')
const { median, summarize } = require('../tools/statistics')
const { markdownTable } = require('../tools/text-table')
const { versionOf } = require('./competitors')
const { alternate } = require('./measure/alternate')
const { json } = require('./rows/bodies')
const { answerTo, stacks } = require('./stacks-app')
const benchCommand = require('./suite/command')

const APP = require.resolve('./stacks-app')
const CONNECTIONS = 50
const SAMPLES = 5 // in each process
const AMOUNT = 5000 // requests of a sample
const WARM_UP = 1500 // ms of CPU time
const NAMES = stacks.map(({ name }) => name)

const { bytes, value } = json(274)
const expected = { status: 200, body: JSON.stringify(answerTo(value)) }
const request = { method: 'POST', headers: { 'content-type': 'application/json' }, body: bytes, expected }

benchCommand({
  usage: 'Small JSON through whole stacks, in turn: four minutes.\n\n  npm run bench -- stacks --node=24\n',
  rounds: 10,
  stepsOf: ({ rounds, node }) => [{
    name: 'stacks',
    take: () => withLab((lab) => alternate(NAMES, rounds, (name) => measureStack(lab, name, node)))
  }],
  tablesOf: ({ stacks }) => [tableOf(stacks)],
  summaryOf (results, about) {
    const { title, head, rows } = tableOf(results.stacks)
    return `# Whole stacks

Small JSON (274 B), parsed and answered, in a closed loop: CPU time per request, median and half of the interquartile
range. This command writes the file ([README](README.md)):
\`npm run bench -- stacks --node=24 --summary=bench/stacks.md\`

${about}, ${title}.

${markdownTable(head, rows)}
`
  }
})

/** @returns {Promise<{ cpu: number, rps: number }>} of a new process */
async function measureStack (lab, name, node) {
  const server = await lab.start({ name, app: APP, settings: { stack: name }, node: node.path })
  await server.connect([request], CONNECTIONS)
  await server.warmUp(WARM_UP)
  const samples = []
  for (let i = 0; i < SAMPLES; i++) samples.push(await server.load({ amount: AMOUNT }))
  await lab.stopServers()
  return { cpu: median(samples.map(({ cpu }) => cpu)), rps: median(samples.map(({ rps }) => rps)) }
}

function tableOf (results) {
  return {
    title: `${CONNECTIONS} connections, ${results[NAMES[0]].length} rounds`,
    head: ['stack', 'checks', 'µs of CPU', 'requests/s'],
    rows: stacks.map(({ name, packages, checks }) => {
      const { median: cost, spread } = summarize(results[name].map(({ cpu }) => cpu))
      return [
        [name, ...packages.map((id) => `${id} ${versionOf(id)}`)].join('\n'),
        checks.join('\n') || 'none',
        `${cost.toFixed(1)} ±${(cost * spread / 2).toFixed(1)}`,
        Math.round(median(results[name].map(({ rps }) => rps))).toLocaleString('en')
      ]
    })
  }
}
