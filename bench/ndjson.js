'use strict'

// npm run bench -- ndjson: the throughput of records, beside split2.

const { alternate, inProcess } = require('./measure/alternate')
const { sizes, ways } = require('./ndjson/worker')
const benchCommand = require('./suite/command')
const medianTable = require('./suite/median-table')

const WORKER = require.resolve('./ndjson/worker')

benchCommand({
  usage: `Throughput of records, beside split2, in turn: four minutes.

  npm run bench -- ndjson --node=24
`,
  rounds: 5,
  stepsOf: ({ rounds, node }) => sizes.map((size) => ({
    name: `records of ${size} B`,
    take: () => alternate(ways, rounds, (way) => inProcess(node.path, WORKER, way, size))
  })),
  tablesOf: (results) => [
    medianTable('MB/s of CPU time, in chunks of 64 KB (ratio to split2)', Object.entries(results), () => ways[0])
  ]
})
