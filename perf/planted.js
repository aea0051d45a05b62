'use strict'

// npm run test:load -- --planted: how often verdicts find a planted difference, and one where there is none.

const os = require('node:os')
const path = require('node:path')
const { clearOutput, writeFile, writeJson } = require('../tools/atomic-write')
const { number, runCommand, wholeNumber } = require('../tools/command-line')
const { spawn } = require('../tools/child-process')
const { createProgress, QUIET, timeLeft } = require('../tools/progress')
const { max, median, min } = require('../tools/statistics')
const { markdownTable } = require('../tools/text-table')
const UserError = require('../tools/user-error')
const { compareResults, measureTargets } = require('./comparison')
const { file, OPTIONS, settingsOf } = require('./options')
const { installTarget } = require('./targets')
const percent = require('./percent')

const FORMAT = 'fast-body-parser/planted/1'
const BURST = 10 // ms of work of the background load
const PILOT = 10 // texts that are parsed to find how long one takes; each of 100 takes less, as they stay in the caches
const EFFECTS = [0, 3, 5]
const OUTPUT = path.join(__dirname, 'output/planted.md')
const { quick, minutes, node, seed, test, connections, rate, duration, warmup } = OPTIONS

runCommand({
  usage: `Plants differences in an app, and counts how often test:load finds them.

  npm run test:load -- --planted --node=24 --comparisons=5 --background=30

What is planted is work: each request parses a small text again and again. How
much that is of a request, a long comparison tells before the other program starts.
All targets of a comparison are measured together, so one takes as long as
1 + the number of effects, halved, of test:load: four minutes, or one with --quick.
A table of those that are done is written after each of them.
`,
  options: {
    effect: {
      value: 'LIST',
      read: (text) => text.split(',').map(number(0, 1000)),
      default: () => EFFECTS,
      help: `% of CPU time per request that are added (${EFFECTS})`
    },
    comparisons: { value: 'N', read: wholeNumber(0, 1000), default: 20, help: 'of each effect' },
    background: {
      value: '%',
      read: number(0, 90),
      default: 0,
      help: 'of each core, that another program uses meanwhile'
    },
    calibration: { value: 'M', read: number(0.01, 600), default: 8, help: 'minutes that tell how much is planted' },
    test,
    connections,
    rate,
    minutes,
    quick,
    duration,
    warmup,
    node,
    seed,
    output: { ...file('.md', 'the table (perf/output/planted.md); the JSON is beside it'), default: () => OUTPUT }
  },
  run: ({ values }) => main(values, settingsOf({ values }))
})

async function main ({ effect: effects, comparisons, background, calibration, output }, settings) {
  const json = output.replace(/md$/, 'json')
  clearOutput([output, json])
  const progress = createProgress()
  const a = await installTarget('A', settings.baseline, [settings.scenarios[0].app])
  const compare = (counts, more) => compareWith(a, counts, { ...settings, ...more })
  const about = `Node ${a.node.version}, ${settings.scenarios[0].name}, ${background} % of each core in the background`
  const run = { format: FORMAT, about, background, effects: await calibrate(effects, calibration, compare, progress) }
  const workers = background === 0 ? [] : startBackground(background)
  try {
    const began = performance.now()
    for (let done = 1; done <= comparisons; done++) {
      const seen = await addComparison(run, compare, { ...settings, seed: settings.seed + done })
      progress.say(`comparison ${done} of ${comparisons}, ${timeLeft(began, done / comparisons)}: ${seen}`)
      writeFile(output, tableOf(run))
      writeJson(json, run)
    }
    console.log(`${tableOf(run)}\nwritten: ${output} ${json}`)
  } finally {
    workers.forEach((worker) => worker.kill())
  }
}

/** @returns {Promise<object[]>} the verdicts about a target beside itself with so many texts planted */
async function compareWith (a, counts, settings) {
  const targets = [a, ...counts.map((planted, index) => ({ ...a, letter: `B${index}`, planted }))]
  const one = { ...settings, scenarios: settings.scenarios.slice(0, 1) }
  const [own, ...others] = await measureTargets(targets, one, QUIET)
  return others.map((other) => compareResults(own, other, settings).verdict)
}

/** How many texts make each effect, and what they are seen to make in a long comparison beside nothing else. */
async function calibrate (effects, minutes, compare, progress) {
  const [{ ratio }] = await compare([PILOT], { minutes: 0, fewest: 8 })
  if (ratio <= 1) throw new UserError(`${PILOT} texts take ${percent(ratio)}: other programs keep the machine busy`)
  const counts = effects.map((effect) => Math.round(effect / 100 / (ratio - 1) * PILOT))
  progress.say(`${PILOT} texts take ${percent(ratio)}; ${counts.join(', ')} are planted`)
  const verdicts = await compare(counts, { minutes })
  return effects.map((effect, i) => {
    const { ratio, interval } = verdicts[i]
    progress.say(`${counts[i]} texts take ${percent(ratio)} (${percent.range(interval)})`)
    return { effect, count: counts[i], share: ratio, interval, ratios: [], decisions: [] }
  })
}

/** @returns {Promise<string>} what was seen */
async function addComparison ({ effects }, compare, { seed, minutes }) {
  const counts = effects.map(({ count }) => count)
  const verdicts = await compare(counts, { seed, minutes: minutes * (1 + counts.length) / 2 })
  const seen = effects.map(({ share, ratios, decisions }, i) => {
    const { ratio, decision } = verdicts[i]
    ratios.push(ratio)
    decisions.push(decision)
    return `${percent(share)} as ${percent(ratio)}, ${decision}`
  })
  return `${verdicts[0].trials} trials: ${seen.join('; ')}`
}

function tableOf ({ about, effects }) {
  const head = ['planted', 'interval', 'found', 'wrongly found', 'seen, median', 'from', 'to']
  return `${about}\n\n${markdownTable(head, effects.map(rowOf))}\n`
}

function rowOf ({ count, share, interval, ratios, decisions }) {
  const of = (...names) => `${decisions.filter((decision) => names.includes(decision)).length} of ${decisions.length}`
  const wrong = count === 0 ? of('A faster', 'B faster') : of('B faster', 'equivalent')
  const seen = [median, min, max].map((figure) => percent(figure(ratios)))
  const planted = count === 0 ? 'nothing' : percent(share)
  return [planted, percent.range(interval), count === 0 ? '-' : of('A faster'), wrong, ...seen]
}

/** A program for each core that works for a part of the time. */
function startBackground (share) {
  const work = `const end = performance.now() + ${BURST}; while (performance.now() < end);`
  const source = `setInterval(() => { ${work} if (process.ppid === 1) process.exit() }, ${BURST * 100 / share})`
  const cores = Array.from({ length: os.availableParallelism() })
  return cores.map(() => spawn(process.execPath, ['-e', source], { stdio: 'ignore' }))
}
