'use strict'

// npm run test:compare: two saved results of npm run test:load.

const path = require('node:path')
const { clearOutput, writeFile, writeJson } = require('../tools/atomic-write')
const { runCommand } = require('../tools/command-line')
const UserError = require('../tools/user-error')
const { compareResults, loadResult } = require('./comparison')
const reportPage = require('./html')
const { OPTIONS: { threshold, output } } = require('./options')
const { comparisonText } = require('./text')

runCommand({
  usage: 'Compares two saved results of npm run test:load.\n\n  npm run test:compare -- a.json b.json\n',
  options: { threshold, output: { ...output, help: 'where to write the comparison, and an HTML report beside it' } },
  positionals: true,
  run ({ values: { threshold, output }, positionals: files }) {
    if (files.length !== 2) throw new UserError(`two result files are needed, not ${files.length}`)
    const results = files.map(loadResult)
    const comparison = compareResults(...results, { threshold })
    const written = output === null ? [] : [output.replace(/\.json$/, '.html'), output]
    const overwritten = files.find((file) => written.includes(path.resolve(file)))
    if (overwritten !== undefined) throw new UserError(`${overwritten} is to be compared, not to be written`)
    clearOutput(written)
    if (output !== null) {
      writeFile(written[0], reportPage(results, comparison))
      writeJson(output, comparison)
    }
    console.log(comparisonText(comparison))
  }
})
