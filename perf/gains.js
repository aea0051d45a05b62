'use strict'

// npm run test:load -- --gains: the table of README, what a user gains by workload.

const path = require('node:path')
const { clearOutput, readJson, writeFile, writeJson } = require('../tools/atomic-write')
const { drawBars } = require('../tools/bars')
const { runCommand } = require('../tools/command-line')
const { describeRun, runText } = require('../tools/machine')
const { createProgress } = require('../tools/progress')
const { markdownTable } = require('../tools/text-table')
const { compareResults, measureTargets } = require('./comparison')
const { file, OPTIONS, settingsOf } = require('./options')
const { installTarget } = require('./targets')
const percent = require('./percent')

const FORMAT = 'fast-body-parser/gains/1'
const COMPARED = { 'body-parser': '2.4.0', compatible: path.join(__dirname, '../tools/compatible') }
const WORKLOADS = {
  'express5-json': 'JSON of 300 B',
  'express5-json-medium': 'JSON of 6.5 KB',
  'express5-json-medium-gzip': 'the same in gzip',
  'express5-urlencoded': 'a form of 5 fields',
  'express5-raw-60kb': '60 KB of bytes',
  'express5-json-large': 'JSON of 208 KB'
}
/** The workloads that README shows; JSON of 208 KB is JSON.parse's time in both. */
const DRAWN = Object.keys(WORKLOADS).filter((name) => name !== 'express5-json-large')
const { quick, minutes, node, seed, connections, rate } = OPTIONS

runCommand({
  usage: `What a user gains, by workload: CPU time per request of an Express 5 app with
this package beside body-parser 2.4.0 and beside the least that a drop-in
replacement can cost (tools/compatible).

  npm run test:load -- --gains --node=24 --json=perf/comparisons/gains-node-24.json
  npm run test:load -- --gains --from=perf/comparisons/gains-node-24.json --svg=docs/images/cpu.svg
`,
  options: {
    node,
    minutes: { ...minutes, help: `${minutes.help}; a half more, as three are measured` },
    quick,
    connections,
    rate,
    seed,
    json: file('.json', 'keep the figures there'),
    from: file('.json', 'measure nothing, print what --json wrote'),
    svg: file('.svg', 'draw the picture of README')
  },
  async run ({ values }) {
    const { json, from, svg, ...others } = values
    if (json !== null) clearOutput([json])
    const settings = settingsOf({ values: { ...others, test: Object.keys(WORKLOADS) } })
    const keep = (gains) => json !== null && writeJson(json, gains)
    const gains = from === null ? await measureGains(settings, keep) : readJson(from, FORMAT)
    if (svg !== null) writeFile(svg, pictureOf(gains))
    console.log(`${runText(gains)}\n${tableOf(gains)}`)
  }
})

/** @param {(gains: object) => void} keep called after each workload */
async function measureGains (settings, keep) {
  const progress = createProgress()
  progress.say(`${Object.keys(WORKLOADS).length} x ${settings.minutes * 1.5} minutes`)
  const targets = []
  for (const spec of [{}, ...Object.values(COMPARED).map((spec) => ({ 'body-parser': spec }))]) {
    targets.push(await installTarget('ABC'[targets.length], { ...settings.baseline, ...spec }, ['express5']))
  }
  const { loads, minutes, warmup, duration, samples } = settings
  const gains = {
    format: FORMAT,
    ...describeRun(targets[0].node.version),
    load: { loads: loads.map(({ name }) => name), minutes, warmup, duration, samples },
    workloads: {}
  }
  for (const [index, [name, what]] of Object.entries(WORKLOADS).entries()) {
    progress.say(`${what}, ${index + 1} of ${Object.keys(WORKLOADS).length}`)
    const scenarios = settings.scenarios.filter((one) => one.name === name)
    const own = { ...settings, scenarios, minutes: minutes * 1.5 }
    const [a, ...others] = await measureTargets(targets, own, progress)
    const short = others.map((b) => shortOf(compareResults(a, b, { threshold: 1 })))
    gains.workloads[name] = { what, ...Object.fromEntries(Object.keys(COMPARED).map((id, i) => [id, short[i]])) }
    keep(gains)
  }
  return gains
}

/** The figures of one workload that the table shows, and the ratios of its trials. */
function shortOf ({ settings: { level }, scenarios: [{ trials, verdict: { ratio, interval }, a, b }] }) {
  const digits = (values) => values.map((value) => Number(value.toPrecision(5)))
  return {
    cpu: digits([ratio, interval.low, interval.high]),
    level,
    us: digits([a.averages.cpu, b.averages.cpu]),
    trials: digits(trials)
  }
}

function pictureOf ({ workloads }) {
  const groups = DRAWN.map((name) => {
    const { what, 'body-parser': { us: [ours, theirs] } } = workloads[name]
    const bars = [
      { who: 'body-parser', value: theirs, isOurs: false },
      { who: 'fast-body-parser', value: ours, isOurs: true }
    ]
    return { name: what, bars }
  })
  return drawBars({
    title: 'CPU time of a request to Express 5: less is better',
    unit: 'us',
    left: 140,
    right: 110,
    groups
  })
}

/** CPU time of ours as a share of theirs. */
function tableOf ({ workloads, node }) {
  const cell = ({ cpu: [ratio, low, high] }) => {
    return `${percent(1 / ratio)} (${percent.range({ low: 1 / high, high: 1 / low })})`
  }
  const rows = Object.values(workloads).map(({ what, 'body-parser': theirs, compatible }) => {
    return [what, theirs.us[0].toFixed(0), cell(theirs), cell(compatible)]
  })
  const others = ['than with body-parser', 'than with *compatible*']
  const head = [`Express 5 on Node.js ${node}`, 'us of CPU time per request', ...others]
  return markdownTable(head, rows)
}
