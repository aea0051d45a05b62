'use strict'

// What parsing in slices costs, and how long it holds the event loop, by the
// shape of the body. `node bench/slices.js --help`.

const path = require('node:path')
const { clearOutput, writeJson } = require('../tools/atomic-write')
const { fileName, nodeFlags, number, runCommand, someOf, wholeNumber } = require('../tools/command-line')
const { describeCommit, describeMachine } = require('../tools/machine')
const { installedPackages } = require('../tools/npm')
const installPackages = require('./packages')
const { SHAPES } = require('./slices/shapes')

const PERF = path.join(__dirname, '../perf') // has the parsers from npm
const WAYS = ['whole', 'slices']
const OTHERS = ['worker', 'streamparser', 'stream-json', 'yieldable']
const NAMES = Object.keys(SHAPES)

runCommand({
  usage: 'What parsing in slices costs, by the shape of the body, beside one JSON.parse.\n\n  node bench/slices.js [options]\n',
  options: {
    mb: { value: 'N', read: number(0.1, 400), default: 10, help: 'megabytes of a body' },
    rounds: { value: 'N', read: wholeNumber(1, 1000), default: 5, help: 'of each way, in turn' },
    shapes: { value: 'A,B', read: someOf(NAMES), default: () => NAMES, help: `some of ${NAMES.join(', ')}` },
    slice: { value: 'MS', read: number(0.01, 1000), default: 0.25, help: 'ms of a slice' },
    others: { help: `a worker thread and parsers from npm as well: ${OTHERS.join(', ')}` },
    'node-flags': { value: 'FLAGS', read: nodeFlags, default: () => [], help: 'of the processes that parse, such as --max-semi-space-size=1' },
    json: { value: 'FILE', read: fileName('.json'), help: 'write every round to FILE' }
  },
  run: ({ values }) => main(values)
})

async function main ({ mb: megabytes, rounds, shapes, slice, others, nodeFlags, json }) {
  installPackages(...(others ? [PERF] : []))
  if (json !== null) clearOutput([json])
  const ways = others ? [...WAYS, ...OTHERS] : WAYS
  const settings = { megabytes, rounds, shapes, slice, nodeFlags, ways }

  const measureShape = require('./slices/measure-shape')
  const results = {}
  for (const shape of shapes) {
    process.stderr.write(`${shape}\n`)
    results[shape] = await measureShape(shape, ways, settings)
  }
  if (json !== null) writeJson(json, { ...description(), settings, versions: others ? versionsOf(ways) : {}, results })
  console.log(`Node ${[process.version, ...nodeFlags].join(' ')}; ${megabytes} MB; ${rounds} rounds; slices of ${slice} ms`)
  console.log(require('./slices/table')(results))
}

function description () {
  return {
    date: new Date().toISOString(),
    node: process.version,
    machine: describeMachine(),
    commit: describeCommit(path.join(__dirname, '..'))
  }
}

/** The version of each way that comes from npm. */
function versionsOf (ways) {
  const parsers = Object.entries(require('../perf/fairness/parsers')).filter(([id, parser]) => ways.includes(id) && parser.package !== undefined)
  const installed = installedPackages(PERF)
  return Object.fromEntries(parsers.map(([id, parser]) => [id, installed[`node_modules/${parser.package}`].version]))
}
