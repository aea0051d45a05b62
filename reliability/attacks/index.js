'use strict'

// npm run attacks: single attacks, and scenarios of many clients.

const { byPartOfName, number, runCommand, SEED, wholeNumber } = require('../../tools/command-line')
const { createProgress, timeLeft } = require('../../tools/progress')
const attacks = require('./catalog')
const { HEADLINE, measure } = require('./run')
const scenarios = require('./scenarios')

const items = [...attacks, ...scenarios.all]

runCommand({
  usage: `npm run attacks -- [options]
npm run soak -- [options]      the scenario "mixed", for minutes

Sends each attack so many times a second, for some seconds, while background
clients post small bodies 200 times a second: to servers with this package's
parsers and with body-parser 2.4.0, or with multer. Compares how busy the main
threads are (share of the time), how long the background clients wait (p50 and
p99, ms), and the peak of the memory (MB): of ours, and of theirs. Then runs
scenarios of many clients, which must leave nothing behind. Attacks take ten
minutes, scenarios as long.
Exit status: 0 if ours costs no more than theirs, and leaves nothing, 1 if not,
2 for wrong options.
`,
  options: {
    filter: {
      value: 'A,B',
      read: byPartOfName(items, 'an attack'),
      default: () => items,
      help: 'only those whose name contains one of these'
    },
    rounds: { value: 'N', read: wholeNumber(1, 100), default: 3, help: 'of an attack, whose medians are shown' },
    seconds: { value: 'N', read: number(0.1, 60), default: 0.6, help: 'of a round' },
    seed: { ...SEED, default: 1, help: 'of what "mixed" and "multer-aborts" send' },
    times: { value: 'N', read: wholeNumber(1, 10_000), default: 1, help: 'as many requests in these two' },
    list: { help: 'name them all' }
  },
  async run ({ values: { filter: selected, list, ...settings } }) {
    if (list) return console.log(selected.map(({ name, what }) => `${name.padEnd(26)} ${what}`).join('\n'))
    let failed = 0
    const progress = createProgress()
    const began = performance.now()
    console.log(HEADLINE)
    for (const [index, item] of selected.entries()) {
      const { faults, text } = await (attacks.includes(item) ? measure : scenarios.measure)(item, settings)
      if (faults.length > 0) failed++
      console.log(text)
      const done = index + 1
      progress.say(`${done} of ${selected.length}, ${timeLeft(began, done / selected.length)}`)
    }
    console.log(`${selected.length - failed} of ${selected.length} passed`)
    process.exitCode = failed === 0 ? 0 : 1
  }
})
