'use strict'

// npm run test:load -- --decoding: arrays read as a whole, item by item, and through a stream that parses.

const { clearOutput, writeJson } = require('../tools/atomic-write')
const { runCommand } = require('../tools/command-line')
const { describeRun, runText } = require('../tools/machine')
const { createProgress } = require('../tools/progress')
const { markdownTable } = require('../tools/text-table')
const { compareResults, measureTargets } = require('./comparison')
const decoders = require('./decoders')
const { file, OPTIONS, settingsOf } = require('./options')
const percent = require('./percent')
const { installTarget } = require('./targets')

const FORMAT = 'fast-body-parser/decoding/1'
const SCENARIOS = ['items-small', 'items-large']
const { quick, minutes, node, seed, connections, warmup, duration } = OPTIONS

runCommand({
  usage: `Arrays of 300 B and 208 KB that an Express 5 app reads as a whole (json), item
by item (jsonArray), and through a stream that parses (stream-json): CPU time
and memory per request.

  npm run test:load -- --decoding --node=24 --quick    # four minutes
`,
  options: {
    node,
    minutes: { ...minutes, help: `${minutes.help}; a half more, as three are measured` },
    quick,
    connections,
    warmup,
    duration,
    seed,
    json: file('.json', 'keep the figures there')
  },
  async run ({ values: { json, ...values } }) {
    if (json !== null) clearOutput([json])
    const settings = settingsOf({ values: { ...values, test: SCENARIOS } })
    const run = await measure({ ...settings, minutes: settings.minutes * 1.5 })
    if (json !== null) writeJson(json, run)
    console.log(`${runText(run)}\n${tableOf(run)}`)
  }
})

async function measure (settings) {
  const target = await installTarget('A', settings.baseline, ['items'])
  const targets = Object.keys(decoders).map((decode, index) => ({ ...target, letter: 'ABC'[index], decode }))
  const [whole, ...others] = await measureTargets(targets, settings, createProgress())
  const comparisons = others.map((other) => compareResults(whole, other, { threshold: 1 }))
  return {
    format: FORMAT,
    ...describeRun(target.node.version),
    rows: settings.scenarios.flatMap(({ about }, index) => {
      const [first, ...rest] = Object.keys(decoders)
      const rows = comparisons.map(({ scenarios }, i) => rowOf(about, rest[i], scenarios[index], 'b'))
      return [rowOf(about, first, comparisons[0].scenarios[index], 'a'), ...rows]
    })
  }
}

/** @param {'a' | 'b'} side of the comparison with the whole */
function rowOf (about, decode, scenario, side) {
  const { averages: { cpu, heap, rss } } = scenario[side]
  const { interval, ratio } = scenario.verdict
  return { about, decode, cpu, heap, rss, verdict: side === 'a' ? null : { interval, ratio } }
}

function tableOf ({ rows }) {
  const head = ['', 'read', 'us of CPU per request', 'beside the whole', 'KB of heap per request', 'MB of peak RSS']
  const cell = (verdict) => verdict === null ? '' : `${percent(verdict.ratio)} (${percent.range(verdict.interval)})`
  return markdownTable(head, rows.map(({ about, decode, cpu, heap, rss, verdict }) => {
    return [about, decode, cpu.toFixed(0), cell(verdict), (heap / 1000).toFixed(1), (rss / 1e6).toFixed(0)]
  }))
}
