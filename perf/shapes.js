'use strict'

const { fileName, runCommand, SEED, someOf, wholeNumber } = require('../tools/command-line')
const { OPTIONS, readSettings } = require('./options')
const { loadScenario } = require('./scenarios')

const USAGE = `Which shape of load tells the truth? Two planted differences are measured in every shape of load.

  npm run test:shapes -- --runs=3
`

// How the turns of both targets are put together. Shapes of the same load must agree.
const SHAPES = {
  turns: { about: 'alternate turns of 1.3 s, of which 1 s is measured (the default)', settings: {} },
  apart: { about: 'one target after the other, for 4 s', settings: { lead: 1, duration: 3, rounds: 1 } },
  together: { about: 'both targets at the same time, on one core', settings: { together: true } },
  slices: { about: 'slices of 0.1 s, with their beginning', settings: { lead: 0, duration: 0.1, rounds: 20 } }
}

const COST = 20 // us
const EXTRA = 5 // us
const PLANTED = {
  request: { about: `B costs ${EXTRA} us more per request`, a: { kind: 'atOnce', cost: COST }, b: { kind: 'atOnce', cost: COST + EXTRA } },
  turn: { about: `A costs ${COST} us per request, B ${COST} us per turn of the event loop`, a: { kind: 'atOnce', cost: COST }, b: { kind: 'perTurn', cost: COST } }
}

const { rate, connections, node } = OPTIONS

async function compareShapes ({ values }) {
  const { writeJson } = require('../tools/atomic-write')
  const textTable = require('../tools/text-table')
  const createRunProgress = require('./report/progress')
  const { compareResults } = require('./results/comparison')
  const { percent } = require('./results/format')
  const { measure, statisticsOf } = require('./runner/measure')
  const plant = require('./self-test/plant')

  const settings = { ...readSettings(['--calibrate', `--runs=${values.runs}`, `--seed=${values.seed}`, ...given(values)]), quiet: values.quiet }
  const loads = values.only.flatMap((name) => settings.loads.map((load) => ({ ...load, name: nameOf(name, load), shape: SHAPES[name].settings })))
  const scenario = loadScenario('http-json')
  const overrides = values.node === null ? {} : { node: values.node }
  const written = []
  for (const planted of values.planted) {
    const { about, a, b } = PLANTED[planted]
    const targets = [await plant('A', a, scenario.app, overrides), await plant('B', b, scenario.app, overrides)]
    const progress = createRunProgress(settings)
    progress.say(about)
    const results = await measure(targets, [scenario], { ...settings, loads }, progress)
    progress.stop()
    const { scenarios } = compareResults(...results, statisticsOf(settings))
    written.push({ planted, scenarios })
    const rows = values.only.map((name) => [name, ...settings.loads.map((load) =>
      cell(scenarios.find((one) => one.name.endsWith(`, ${nameOf(name, load)}`)), percent))])
    process.stdout.write(`${about}: B - A in us of CPU time per request, B / A and the range of its runs\n` +
      `${textTable(['', ...settings.loads.map(({ name }) => name)], rows)}\n\n`)
  }
  if (values.json !== null) writeJson(values.json, written)
}

function nameOf (shape, load) {
  return `${shape}: ${load.name}`
}

function given ({ rate, connections }) {
  return [...rate === null ? [] : [`--rate=${rate}`], ...connections === null ? [] : [`--connections=${connections}`]]
}

function cell (scenario, percent) {
  if (scenario === undefined) return '-'
  const { a, b, verdict: { ratio, range } } = scenario
  return `${(b.averages.cpu - a.averages.cpu).toFixed(1)} (${percent(ratio)}, ${percent(range.low)} to ${percent(range.high)})`
}

runCommand({
  usage: USAGE,
  options: {
    only: { value: 'SHAPES', read: someOf(Object.keys(SHAPES)), default: () => Object.keys(SHAPES), help: Object.entries(SHAPES).map(([name, { about }]) => `${name}: ${about}`).join('; ') },
    planted: { value: 'NAME', read: someOf(Object.keys(PLANTED)), default: () => Object.keys(PLANTED), help: 'request or turn; both by default' },
    runs: { value: 'N', read: wholeNumber(2, 100), default: 3, help: 'with new processes, of each shape' },
    rate: { value: 'LIST', help: rate.help },
    connections: { value: 'LIST', help: connections.help },
    node,
    seed: SEED,
    json: { value: 'FILE', read: fileName('.json'), help: 'where to write the comparisons' },
    quiet: { help: 'no progress' }
  },
  run: compareShapes
})
