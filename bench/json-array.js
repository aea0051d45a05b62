'use strict'

// npm run bench -- json-array: the items of JSON arrays, beside JSON.parse of the whole text and stream-json.

const { shapes, ways } = require('./json-array/worker')
const { alternate, inProcess } = require('./measure/alternate')
const benchCommand = require('./suite/command')
const medianTable = require('./suite/median-table')

const WORKER = require.resolve('./json-array/worker')
const [WHOLE] = ways
const RECORDS = { '500 records': 500, '240,000 records': 240_000 }

benchCommand({
  usage: `Items of JSON arrays, beside JSON.parse of the whole text and stream-json, in turn: eight minutes.

  npm run bench -- json-array --node=24
  npm run bench -- json-array --node=24 --filter="500 records"
`,
  rounds: 5,
  stepsOf: ({ rounds, node }) => Object.entries(RECORDS).flatMap(([amount, count]) => shapes.map((shape) => ({
    name: `${amount}, ${shape}`,
    take: () => alternate(ways, rounds, (way) => inProcess(node.path, WORKER, way, shape, count))
  }))),
  tablesOf: (results) => [
    medianTable('CPU time in us, in chunks of 64 KB (ratio to JSON.parse)', Object.entries(results), () => WHOLE)
  ]
})
