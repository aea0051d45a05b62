'use strict'

// npm run test:load -- --planted-loop: whether --profile names the function that a loop is planted in.

const { execFile } = require('node:child_process')
const { promisify } = require('node:util')
const { number, runCommand, wholeNumber } = require('../tools/command-line')
const mapValues = require('../tools/map-values')
const { createProgress } = require('../tools/progress')
const { sum } = require('../tools/statistics')
const { markdownTable } = require('../tools/text-table')
const UserError = require('../tools/user-error')
const { compareResults, measureTargets } = require('./comparison')
const { OPTIONS, settingsOf } = require('./options')
const percent = require('./percent')
const { PLACES, copyWith, loopOf } = require('./plant')
const { installTarget } = require('./targets')

const PILOT = 20_000 // turns of the loop, to find what one takes
const TRIES = 10_000
const METER = require.resolve('../tools/lab/meter')
const CLOSE = 0.2 // of what the loop takes
const { duration, node, quick, seed, warmup } = OPTIONS
const NOWHERE = 'nowhere'
const QUIET = { say () {}, update () {}, stop () {} }

runCommand({
  usage: `Plants a loop in a function of a copy of the app, and asks --profile where the time goes.

  npm run test:load -- --planted-loop --node=24
  npm run test:load -- --planted-loop --node=24 --runs=1     # a first answer: two minutes

Each run measures a copy of the app for each of ${Object.keys(PLACES).length} places, and one without a loop, all beside
the app itself: two minutes, or a minute and a half with --quick.
`,
  options: {
    effect: { value: '%', read: number(1, 100), default: 5, help: 'of CPU time per request that the loop takes (5)' },
    runs: { value: 'N', read: wholeNumber(1, 100), default: 10, help: 'of each place (10)' },
    filter: { value: 'TEXT', default: '', help: 'only places that have TEXT in their names' },
    quick,
    duration,
    warmup,
    node,
    seed
  },
  run ({ values: { effect, filter, runs, ...values } }) {
    const places = [...Object.keys(PLACES), NOWHERE].filter((place) => place.includes(filter))
    if (places.length === 0) throw new UserError(`no place has "${filter}" in its name`)
    return main(effect / 100, places, runs, settingsOf({ values }))
  }
})

async function main (effect, places, runs, { baseline, scenarios: [scenario], ...others }) {
  const progress = createProgress()
  const a = await installTarget('A', baseline, [scenario.app])
  const settings = { ...others, scenarios: [scenario], minutes: 0 }
  const [{ serverResults }] = await measureTargets([a], { ...settings, fewest: 3 }, QUIET)
  const turns = Math.round(effect * Object.values(serverResults)[0].cpu / await timeOfTurn(a.node))
  progress.say(`${turns} turns of the loop: ${percent(1 + effect)} of the time of a request`)
  const targets = [a, ...places.map((place, i) => ({ ...a, letter: 'BCDE'[i], folders: plant(place, turns, a) }))]
  const rows = []
  for (let run = 1; run <= runs; run++) {
    const before = await timeOfTurn(a.node)
    const more = { seed: settings.seed + run, fewest: 2, profile: 'cpu' }
    const [own, ...copies] = await measureTargets(targets, { ...settings, ...more }, QUIET)
    const takes = turns * (before + await timeOfTurn(a.node)) / 2
    const seen = copies.map((copy, i) => rowOf(places[i], takes, compareResults(own, copy, settings).scenarios[0]))
    progress.say(`run ${run} of ${runs}: ${seen.map((row) => row.join(', ')).join('; ')}`)
    rows.push(...seen)
  }
  console.log(markdownTable(['loop in', 'takes, us', 'seen, us', 'first row', 'rows / meter', 'right'], rows))
}

/** @returns {Promise<number>} us of CPU time that a turn of the loop takes at present, as the meter counts */
async function timeOfTurn (node) {
  const source = `const Meter = require(${JSON.stringify(METER)})
    const loop = () => { ${loopOf(PILOT)} }
    const repeat = () => { for (let i = 0; i < ${TRIES}; i++) loop() }
    repeat()
    const meter = new Meter()
    const before = meter.usage().main
    repeat()
    console.log((meter.usage().main - before) * 1000 / ${TRIES})`
  return Number((await promisify(execFile)(node.path, ['-e', source])).stdout) / PILOT
}

/** @returns {Record<string, string>} the folders of a target, or those of its copies with a loop */
function plant (place, turns, { folders }) {
  return place === NOWHERE ? folders : mapValues(folders, (folder) => copyWith(place, turns, folder))
}

/** Right is a first row that is the planted function with about its time, or no row at all that is not noise. */
function rowOf (place, loop, { a: { averages }, profile: { rows, profiler } }) {
  const [first] = rows
  const takes = place === NOWHERE ? 0 : loop
  const seen = rows.find(({ name }) => place !== NOWHERE && name.startsWith(PLACES[place].name))?.difference ?? 0
  const isRight = place === NOWHERE
    ? rows.every(({ isNoise }) => isNoise)
    : first.name.startsWith(PLACES[place].name) && !first.isNoise && Math.abs(seen / takes - 1) <= CLOSE
  const adds = sum(rows.map(({ a }) => a)) / (averages.cpu * profiler.a)
  const named = first.isNoise ? 'noise' : first.name
  return [place, takes.toFixed(2), seen.toFixed(2), named, adds.toFixed(2), isRight ? 'yes' : 'NO']
}
