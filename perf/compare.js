'use strict'

const path = require('node:path')
const { parseArgs } = require('node:util')
const { FLAGS, helpText, readArguments } = require('./arguments')
const Failure = require('./failure')
const { needPackages, runProgram } = require('./program')

const { threshold, output, report, help } = FLAGS
const OWN = { threshold, output, report, help }

const USAGE = `Compares two saved results of npm run test:load.

  npm run test:compare -- a.json b.json

`

function main () {
  const { flags, files } = split(process.argv.slice(2))
  const settings = readArguments(flags, [], OWN)
  if (settings.help) return process.stdout.write(`${USAGE}${helpText(OWN)}\n`)
  if (files.length !== 2) throw new Failure(`two result files are needed, not ${files.length}`)
  needPackages()
  const { compareResults } = require('./comparison')
  const { makeRoom, outputPaths, toText } = require('./files')
  const { statisticsOf } = require('./run')
  const readResult = require('./saved')
  const { writeWhole } = require('./temporary')
  const { comparisonText } = require('./terminal')

  const results = files.map(readResult)
  const comparison = compareResults(...results, statisticsOf(settings, 1))
  const texts = new Map()
  const paths = settings.output === null && !settings.report ? null : outputPaths(settings.output)
  if (settings.output !== null) texts.set(paths.main, toText(comparison))
  if (settings.report) texts.set(paths.report, require('./report')(results, comparison))
  for (const file of files) {
    if (texts.has(path.resolve(file))) throw new Failure(`${file} is to be compared, not to be written`)
  }
  makeRoom([...texts.keys()])
  for (const [file, text] of texts) writeWhole(file, text)
  process.stdout.write(`${comparisonText(comparison)}\n`)
  if (settings.report) process.stdout.write(`written: ${paths.report}\n`)
}

/** Files may stand among the flags. */
function split (args) {
  try {
    const { tokens } = parseArgs({ args, options: OWN, allowPositionals: true, tokens: true })
    const files = tokens.filter(({ kind }) => kind === 'positional').map(({ value }) => value)
    return { files, flags: args.filter((arg) => !files.includes(arg)) }
  } catch (error) {
    throw new Failure(error.message.split('. ')[0])
  }
}

runProgram(main)
