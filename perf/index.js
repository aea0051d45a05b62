'use strict'

// npm run test:load: load tests, one target against another.

const fs = require('node:fs')
const path = require('node:path')
const { clearOutput, writeFile, writeJson } = require('../tools/atomic-write')
const { runCommand } = require('../tools/command-line')
const { createProgress } = require('../tools/progress')
const { compareResults, measureTargets } = require('./comparison')
const { OPTIONS, settingsOf } = require('./options')
const scenarios = require('./scenarios')
const { installTarget } = require('./targets')
const markdownOf = require('./markdown')
const { comparisonText, resultText } = require('./text')

runCommand({
  usage: `Load tests of request body parsers, one target against another.

  npm run test:load                                    this working tree
  npm run test:load -- --overrides='{"body-parser":"2.4.0"}'
                                                       A = this working tree, B = with the override
  npm run test:load -- --quick --overrides='{"body-parser":"2.4.0"}'
                                                       a first answer: at least 8 trials

  npm run test:load -- --planted=20                    does it find work that is planted in B?

Each scenario takes two minutes, and one with --quick, which is the time of the
fewest trials; beside other programs they take longer. Each trial says how many
there will be, and how long they take. Installing both targets takes up to half a
minute more, the first time of a day.
`,
  options: OPTIONS,
  run: (read) => main(settingsOf(read))
})

async function main (settings) {
  if (settings.list) return console.log(scenarios.map(({ name, about }) => `${name.padEnd(34)} ${about}`).join('\n'))
  const progress = createProgress()
  const files = filesOf(settings)
  clearOutput(Object.values(files).flat())
  const { scenarios: { length }, minutes } = settings
  progress.say(`${length} x ${minutes} minutes or more, and up to half a minute to install the targets`)
  const targets = await selectTargets(settings, progress)
  const [a, b] = await measureTargets(targets, settings, progress)
  const comparison = b === undefined ? null : compareResults(a, b, settings)
  if (settings.profile) writeProfiles([a, b], files)
  if (settings.markdown !== null) writeFile(settings.markdown, markdownOf(comparison, process.argv.slice(2)))
  if (comparison !== null && settings.write) [a, b].forEach((result, i) => writeJson(files['ab'[i]], result))
  if (settings.write) writeJson(files.main, comparison ?? a)
  console.log(comparison === null ? resultText(a, settings) : comparisonText(comparison, settings))
  const written = Object.values(files).flat().filter((file) => fs.existsSync(file)) // scenarios may be left out
  if (written.length > 0) console.log(`\nwritten: ${written.join(' ')}`)
}

/** The main file is last: once it exists, all others do. */
function filesOf ({ write, markdown, ...settings }) {
  return { ...markdown !== null && { markdown }, ...write && dataFilesOf(settings) }
}

function dataFilesOf ({ output, overrides, profile, scenarios, loads }) {
  const main = output ?? path.join(__dirname, 'output', `${new Date().toISOString().replace(/[:.]/g, '-')}.json`)
  const stem = main.slice(0, -'.json'.length)
  const cells = !profile ? 0 : scenarios.length * loads.length
  const profiles = Array.from({ length: cells }, (_, i) => {
    return ['a', 'b'].map((side) => `${stem}${cells > 1 ? `.${i + 1}` : ''}.${side}.cpuprofile`)
  })
  return { ...overrides !== null && { a: `${stem}.a.json`, b: `${stem}.b.json` }, profiles: profiles.flat(), main }
}

/** V8's profiles of the last round, each in a file of its own instead of in the results. */
function writeProfiles (results, { profiles = [] }) {
  const last = results[0].scenarios.flatMap((_, i) => {
    return results.map(({ scenarios }) => scenarios[i].profile.rounds.at(-1))
  })
  for (const [i, round] of last.entries()) {
    if (profiles[i] !== undefined) writeFile(profiles[i], JSON.stringify(round.profile))
    delete round.profile
  }
}

async function selectTargets ({ scenarios, baseline, overrides, planted }, progress) {
  const apps = [...new Set(scenarios.map(({ app }) => app))]
  progress.say('installing target A')
  const a = await installTarget('A', baseline, apps)
  if (overrides === null) return [a]
  progress.say('installing target B')
  return [a, { ...await installTarget('B', overrides, apps), planted }]
}
