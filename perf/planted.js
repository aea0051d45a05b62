'use strict'

// npm run test:planted: how often verdicts find a planted difference, and one where there is none.

const { readFileSync } = require('node:fs')
const os = require('node:os')
const path = require('node:path')
const { clearOutput, writeFile, writeJson } = require('../tools/atomic-write')
const { fileName, number, runCommand, wholeNumber } = require('../tools/command-line')
const { kill, spawn } = require('../tools/child-process')
const { createProgress } = require('../tools/progress')
const { max, median, min, sum } = require('../tools/statistics')
const { markdownTable } = require('../tools/text-table')
const { compareResults, resultOf } = require('./comparison')
const { OPTIONS, settingsOf } = require('./options')
const { measure, measureCpu } = require('./session')
const { installTarget } = require('./targets')
const { percent } = require('./text')

const BURST = 10 // ms of work of the background load
const { quick, minutes, node, seed, test, connections, rate, duration, warmup } = OPTIONS

runCommand({
  usage: `Plants differences in an app, and counts how often test:load finds them.

  npm run test:planted -- --node=24 --comparisons=5 --background=30

All targets of a comparison are measured together, so one takes as long as
1 + the number of effects, halved, of test:load: five minutes, or little more than
one with --quick. A table of those that are done is written after each of them.
`,
  options: {
    effect: { value: 'LIST', read: (text) => text.split(',').map(number(0, 1000)), default: () => [0, 3, 5, 10], help: '% of CPU time per request that are added (0,3,5,10)' },
    comparisons: { value: 'N', read: wholeNumber(1, 1000), default: 20, help: 'of each effect' },
    background: { value: '%', read: number(0, 90), default: 0, help: 'of each core, that another program uses meanwhile' },
    test,
    connections,
    rate,
    minutes,
    quick,
    duration,
    warmup,
    node,
    seed,
    output: { value: 'FILE', read: fileName('.md'), default: () => path.join(__dirname, 'output/planted.md'), help: 'where to write the table (perf/output/planted.md), and beside it the ratios, in JSON' }
  },
  run: ({ values }) => main(values, settingsOf({ values }))
})

async function main ({ effect: effects, comparisons, background, output }, settings) {
  const json = output.replace(/md$/, 'json')
  clearOutput([output, json])
  const progress = createProgress()
  const [scenario] = settings.scenarios
  progress.say(`${comparisons} x ${(settings.minutes * (1 + effects.length) / 2).toFixed(1)} minutes, or what the fewest trials of a verdict take`)
  const workers = background === 0 ? [] : startBackground(background)
  try {
    const a = await installTarget('A', settings.baseline, [scenario.app])
    const seen = effects.map((effect) => ({ effect, shares: [], ratios: [], decisions: [] }))
    const took = [] // minutes of each comparison
    let cpu = await measureCpu(a, scenario, settings)
    for (let i = 0; i < comparisons; i++) {
      const began = performance.now()
      const planted = effects.map((effect, index) => ({ ...a, letter: `B${index}`, burn: cpu * effect / 100 }))
      const session = await measure([a, ...planted], [scenario], { ...settings, seed: settings.seed + i, minutes: settings.minutes * (1 + effects.length) / 2 }, { ...progress, isBar: true, say () {} })
      const [result, ...others] = [a, ...planted].map((target) => resultOf(session, target))
      const { trials } = session.scenarios[0]
      const now = median(trials.map(({ A }) => A.cpu)) // the machine may be slower than in the comparison before
      seen.forEach(({ shares, ratios, decisions }, index) => {
        const { verdict } = compareResults(result, others[index], settings)
        shares.push(1 + planted[index].burn / now)
        ratios.push(verdict.ratio)
        decisions.push(verdict.decision)
      })
      took.push((performance.now() - began) / 60_000)
      progress.say(`comparison ${i + 1} of ${comparisons}, ${took.at(-1).toFixed(1)} minutes, ${trials.length} trials, ${now.toFixed(1)} us: ${seen.map(({ shares, ratios, decisions }) => `${percent(shares[i])} as ${percent(ratios[i])}, ${decisions[i]}`).join('; ')}`)
      cpu = now
      const about = `Node ${a.node.version}, ${scenario.name}, ${background} % of each core in the background, ${took.length} of ${comparisons} comparisons, in ${sum(took).toFixed(0)} minutes`
      writeFile(output, `${about}\n\n${markdownTable(['planted', 'found', 'wrongly found', 'planted, median', 'seen, median', 'from', 'to'], seen.map(rowOf))}\n`)
      writeJson(json, { about, took, settings: session.settings, seen })
    }
    console.log(`${readFileSync(output, 'utf8')}\nwritten: ${output} ${json}`)
  } finally {
    workers.forEach(kill)
  }
}

function rowOf ({ effect, shares, ratios, decisions }) {
  const count = (...names) => `${decisions.filter((decision) => names.includes(decision)).length} of ${decisions.length}`
  const wrong = effect === 0 ? count('A faster', 'B faster') : count('B faster', 'equivalent')
  return [`+${effect} %`, effect === 0 ? '-' : count('A faster'), wrong, percent(median(shares)), ...[median, min, max].map((of) => percent(of(ratios)))]
}

/** A program for each core that works for a part of the time. */
function startBackground (share) {
  const source = `setInterval(() => { const end = performance.now() + ${BURST}; while (performance.now() < end); if (process.ppid === 1) process.exit() }, ${BURST * 100 / share})`
  return Array.from({ length: os.availableParallelism() }, () => spawn(process.execPath, ['-e', source], { stdio: 'ignore' }))
}
