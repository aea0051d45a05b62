'use strict'

// npm run bench:ndjson: the throughput of records, beside split2.

const { wholeNumber } = require('../tools/command-line')
const { median } = require('../tools/statistics')
const { alternate, inProcess } = require('./measure/alternate')
const ways = require('./ndjson/worker')
const benchCommand = require('./suite/command')

const WORKER = require.resolve('./ndjson/worker')
const ROW = '200,000 records of 164 B'

benchCommand({
  usage: `Throughput of records, beside split2, in turn: two minutes.

  npm run bench:ndjson -- --node=24
`,
  options: { rounds: { value: 'N', read: wholeNumber(1, 1000), default: 5, help: 'each in a process of its own' } },
  stepsOf: ({ rounds, node }) => [
    { name: ROW, take: () => alternate(ways, rounds, (way) => inProcess(node.path, WORKER, way)) }
  ],
  tablesOf ({ [ROW]: samples }) {
    const speeds = Object.entries(samples).map(([way, figures]) => [way, median(figures)])
    const [[, base]] = speeds
    const rows = speeds.map(([way, speed]) => [way, speed.toFixed(0), (speed / base).toFixed(2)])
    return [{ title: `${ROW} in chunks of 64 KB`, head: ['', 'MB/s of CPU time', 'throughput'], rows }]
  }
})
