'use strict'

// npm run bench -- ndjson, json-array or small-records: loops over records, beside JSON.parse and peers.

const { alternate, inProcess } = require('./measure/alternate')
const suites = require('./records/suites')
const benchCommand = require('./suite/command')
const medianTable = require('./suite/median-table')

const WORKER = require.resolve('./records/worker')

/** @param {keyof suites} name */
module.exports = function benchRecords (name) {
  const { about, bodies, rounds, unit, ways } = suites[name]
  const [peer] = Object.keys(ways)
  benchCommand({
    usage: `${about}

  npm run bench -- ${name} --node=24
  npm run bench -- ${name} --node=24 --filter="${Object.keys(bodies)[0]}"
`,
    rounds,
    stepsOf: ({ rounds, node }) => Object.keys(bodies).map((body) => ({
      name: body,
      take: () => alternate(Object.keys(ways), rounds, (way) => inProcess([node.path, WORKER, name, body, way]))
    })),
    tablesOf: (results) => [
      medianTable(`${unit}, in chunks of 64 KB (ratio to ${peer})`, Object.entries(results), () => peer)
    ]
  })
}
