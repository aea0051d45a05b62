'use strict'

// npm run attacks:scenarios: what many clients do together, beside body-parser.

const path = require('node:path')
const { clearOutput, writeJson } = require('../../../tools/atomic-write')
const { byPartOfName, fileName, runCommand, wholeNumber } = require('../../../tools/command-line')
const { describeMachine } = require('../../../tools/machine')
const scenarios = require('./catalog')

runCommand({
  usage: `npm run attacks:scenarios -- [options]

Runs scenarios of many clients against servers with this package's parsers, and
with body-parser 2.4.0, each a process of its own on the loopback interface.
Exit status: 0 if all is as it should be, 1 if not, 2 for wrong options.
`,
  options: {
    filter: { value: 'A,B', read: byPartOfName(scenarios, 'a scenario'), default: () => scenarios, help: 'only scenarios whose name contains one of these' },
    rounds: { value: 'N', read: wholeNumber(1, 100), default: 1, help: 'of which the medians are shown' },
    parser: { value: 'FOLDER', read: (text) => path.resolve(text), help: 'of the package to test, such as another working tree; by default this one' },
    json: { value: 'FILE', read: fileName('.json'), help: 'write all figures there' },
    list: { help: 'name the scenarios' }
  },
  failureStatus: 2,
  run: ({ values }) => main(values)
})

async function main ({ filter: selected, rounds, parser, json, list }) {
  if (list) return console.log(selected.map(({ name, what }) => `${name.padEnd(24)} ${what}`).join('\n'))
  if (json !== null) clearOutput([json])

  const { figuresOf, text } = require('./figures')
  const results = []
  for (const scenario of selected) {
    const figures = await figuresOf(scenario, rounds, { parser: parser ?? undefined })
    const faults = scenario.faultsOf(figures)
    results.push({ name: scenario.name, what: scenario.what, columns: scenario.columns, figures, faults })
    console.log(`${text(results.at(-1))}\n`)
  }
  const failed = results.filter(({ faults }) => faults.length > 0)
  console.log(`${results.length - failed.length} of ${results.length} scenarios withstood`)
  if (json !== null) writeJson(json, { date: new Date().toISOString(), node: process.version, machine: describeMachine(), rounds, scenarios: results })
  process.exitCode = failed.length === 0 ? 0 : 1
}
