'use strict'

const { helpText } = require('../arguments')
const { makeRoom, readJson, toText } = require('../files')
const { needPackages, runProgram } = require('../program')
const { writeWhole } = require('../temporary')
const { FLAGS, readArguments } = require('./arguments')
const { FORMAT } = require('./result')

const USAGE = `Small requests at a fixed rate beside a stream of large JSON posts: who waits how long?

  npm run test:fairness -- --rate=200 --seconds=10 --rounds=3 --json=fairness.json
  npm run test:fairness -- --from=fairness.json --picture=fairness.svg

`

async function main () {
  const settings = readArguments(process.argv.slice(2))
  if (settings.help) return process.stdout.write(`${USAGE}${helpText(FLAGS)}\n`)
  const { from, json, picture } = settings
  makeRoom([json, picture].filter((file) => file !== null))
  const result = from === null ? await measure(settings) : readJson(from, FORMAT)
  process.stdout.write(`${require('./table')(result)}\n`)
  if (json !== null) writeWhole(json, toText(result))
  if (picture !== null) writeWhole(picture, require('./picture')(result))
}

function measure (settings) {
  needPackages()
  return require('./session')(settings, (line) => process.stderr.write(`${line}\n`))
}

runProgram(main)
