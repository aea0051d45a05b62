'use strict'

// npm run test:planted: does a verdict find a difference that is there, and none that is not?

const os = require('node:os')
const { writeJson } = require('../tools/atomic-write')
const { fileName, number, runCommand, wholeNumber } = require('../tools/command-line')
const { kill, spawn } = require('../tools/child-process')
const { createProgress } = require('../tools/progress')
const textTable = require('../tools/text-table')
const { compareResults, resultOf } = require('./comparison')
const { OPTIONS, settingsOf } = require('./options')
const { measure, measureCpu } = require('./session')
const { installTarget } = require('./targets')
const { percent } = require('./text')

const BURST = 10 // ms of work of the background load
const { quick, minutes, node, seed, test, connections, rate } = OPTIONS

runCommand({
  usage: `Plants differences in an app, and counts how often test:load finds them.

  npm run test:planted -- --effect=0,3,5,10 --comparisons=20 --background=30

All targets of a comparison are measured together, so one takes as long as
1 + the number of effects, halved, of test:load.
`,
  options: {
    effect: { value: 'LIST', read: (text) => text.split(',').map(number(0, 100)), default: () => [0, 3, 5, 10], help: '% of CPU time per request that are added (0,3,5,10)' },
    comparisons: { value: 'N', read: wholeNumber(1, 1000), default: 20, help: 'of each effect' },
    background: { value: '%', read: number(0, 90), default: 0, help: 'of each core, that another program uses meanwhile' },
    test,
    connections,
    rate,
    minutes,
    quick,
    node,
    seed,
    json: { value: 'FILE', read: fileName('.json'), help: 'write the decisions and ratios there' }
  },
  run: ({ values }) => main(values, settingsOf({ values }))
})

async function main ({ effect: effects, comparisons, background, json }, settings) {
  const progress = createProgress()
  const [scenario] = settings.scenarios
  const workers = background === 0 ? [] : startBackground(background)
  try {
    const a = await installTarget('A', settings.baseline, [scenario.app])
    const seen = effects.map((effect) => ({ effect, ratios: [], decisions: [], minutes: 0 }))
    for (let i = 0; i < comparisons; i++) {
      const cpu = await measureCpu(a, scenario, settings)
      const planted = effects.map((effect, index) => ({ ...a, letter: `B${index}`, burn: cpu * effect / 100 }))
      const began = performance.now()
      const session = await measure([a, ...planted], [scenario], { ...settings, seed: settings.seed + i, minutes: settings.minutes * (1 + effects.length) / 2 }, { ...progress, isBar: true, say () {} })
      const results = [a, ...planted].map((target) => resultOf(session, target))
      seen.forEach((one, index) => {
        const { verdict } = compareResults(results[0], results[index + 1], { threshold: 1 })
        one.ratios.push(verdict.ratio)
        one.decisions.push(verdict.decision)
        one.minutes += (performance.now() - began) / 60_000 * 2 / (1 + effects.length)
      })
      progress.say(`comparison ${i + 1}, ${session.scenarios[0].trials.length} trials, ${cpu.toFixed(1)} us: ${seen.map(({ effect, ratios, decisions }) => `+${effect} % as ${percent(ratios[i])}, ${decisions[i]}`).join('; ')}`)
      if (json !== null) writeJson(json, { node: a.node.version, background, settings: session.settings, seen })
    }
    console.log(textTable(['planted', 'found', 'wrongly found', 'median', 'from', 'to', 'minutes each'], seen.map(rowOf)))
  } finally {
    workers.forEach(kill)
  }
}

function rowOf ({ effect, ratios, decisions, minutes }) {
  const count = (...names) => `${decisions.filter((decision) => names.includes(decision)).length} of ${decisions.length}`
  const sorted = ratios.toSorted((a, b) => a - b)
  const wrong = effect === 0 ? count('A faster', 'B faster') : count('B faster', 'equivalent')
  return [`+${effect} %`, effect === 0 ? '-' : count('A faster'), wrong, percent(sorted[Math.floor(sorted.length / 2)]), percent(sorted[0]), percent(sorted.at(-1)), (minutes / decisions.length).toFixed(1)]
}

/** A program for each core that works for a part of the time. */
function startBackground (share) {
  const source = `setInterval(() => { const end = performance.now() + ${BURST}; while (performance.now() < end); if (process.ppid === 1) process.exit() }, ${BURST * 100 / share})`
  return Array.from({ length: os.availableParallelism() }, () => spawn(process.execPath, ['-e', source], { stdio: 'ignore' }))
}
