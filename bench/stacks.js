'use strict'

// npm run bench:stacks: small JSON through whole stacks.

const { wholeNumber } = require('../tools/command-line')
const { withLab } = require('../tools/lab')
const { shuffle } = require('../tools/random')
const { interquartileRange, median } = require('../tools/statistics')
const { markdownTable } = require('../tools/text-table')
const benchCommand = require('./suite/command')

const APP = require.resolve('./stacks-app')
const CONNECTIONS = 50
const SAMPLES = 5 // in each process
const AMOUNT = 5000 // requests of a sample
const WARM_UP = 1500 // ms of CPU time

benchCommand({
  usage: 'Small JSON through whole stacks, in turn: four minutes.\n\n  npm run bench:stacks -- --node=24\n',
  options: { trials: { value: 'N', read: wholeNumber(1, 1000), default: 10, help: 'each with new processes' } },
  stepsOf: ({ trials, node }) => Array.from({ length: trials }, (_, trial) => {
    return { name: `trial ${trial + 1}`, take: () => measureTrial(node) }
  }),
  tablesOf: (trials) => [tableOf(Object.values(trials))],
  summaryOf (results, about) {
    const trials = Object.values(results)
    const { title, head, rows } = tableOf(trials)
    return `# Whole stacks

Small JSON (274 B), parsed and answered, in a closed loop: CPU time per request, median and half of the interquartile
range. This command writes the file ([README](README.md)):
\`npm run bench:stacks -- --node=24 --summary=bench/stacks.md\`

${about}, ${title}.

${markdownTable(head, rows)}
`
  }
})

/** @returns {Promise<Record<string, { cpu: number, rps: number }>>} by stack */
function measureTrial (node) {
  const { answerTo, stacks } = require('./stacks-app')
  const { bytes, value } = require('./rows/bodies').json(274)
  const expected = { status: 200, body: JSON.stringify(answerTo(value)) }
  const request = { method: 'POST', headers: { 'content-type': 'application/json' }, body: bytes, expected }
  return withLab(async (lab) => {
    const seen = {}
    for (const { name } of shuffle([...stacks], Math.random)) {
      const server = await lab.start({ name, app: APP, settings: { stack: name }, node: node.path })
      await server.connect([request], CONNECTIONS)
      await server.warmUp(WARM_UP)
      const samples = []
      for (let i = 0; i < SAMPLES; i++) samples.push(await server.load({ amount: AMOUNT }))
      seen[name] = { cpu: median(samples.map(({ cpu }) => cpu)), rps: median(samples.map(({ rps }) => rps)) }
      await lab.stopServers()
    }
    return seen
  })
}

function tableOf (trials) {
  const { stacks } = require('./stacks-app')
  const { versionOf } = require('./competitors')
  return {
    title: `${CONNECTIONS} connections, ${trials.length} trials`,
    head: ['stack', 'checks', 'µs of CPU', 'requests/s'],
    rows: stacks.map(({ name, packages, checks }) => {
      const costs = trials.map((seen) => seen[name].cpu)
      return [
        [name, ...packages.map((id) => `${id} ${versionOf(id)}`)].join('\n'),
        checks.join('\n') || 'none',
        `${median(costs).toFixed(1)} ±${(interquartileRange(costs) / 2).toFixed(1)}`,
        Math.round(median(trials.map((seen) => seen[name].rps))).toLocaleString('en')
      ]
    })
  }
}
