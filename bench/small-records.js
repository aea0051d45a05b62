'use strict'

// npm run bench -- small-records: what a record costs that takes two bytes, with a schema and with a reviver.

const { inProcess } = require('./measure/alternate')
const { checks } = require('./small-records/worker')
const benchCommand = require('./suite/command')
const medianTable = require('./suite/median-table')

const WORKER = require.resolve('./small-records/worker')
const RECORDS = ['1', '"é"', '{}']

benchCommand({
  usage: `Loops over 500,000 small records, beside JSON.parse and the same check of each, in turn: two minutes.

  npm run bench -- small-records --node=24
  npm run bench -- small-records --node=24 --filter="a schema"
`,
  rounds: 3,
  stepsOf: ({ rounds, node }) => checks.flatMap((check) => RECORDS.map((record) => ({
    name: `${record}, ${check}`,
    take: () => takeRounds(rounds, () => inProcess(node.path, WORKER, check, record))
  }))),
  tablesOf: (results) => [
    medianTable('CPU time in us, in chunks of 64 KB (ratio to JSON.parse)', Object.entries(results), () => 'JSON.parse')
  ]
})

/** Samples by way, of processes that try all ways in turn. */
function takeRounds (rounds, take) {
  const samples = {}
  for (let round = 0; round < rounds; round++) {
    for (const [way, time] of Object.entries(take())) (samples[way] ??= []).push(time)
  }
  return samples
}
