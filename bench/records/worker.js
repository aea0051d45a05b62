'use strict'

// A process for one way to read one body: worker.js SUITE BODY WAY prints the best figure of several, as other
// processes share the cores.

const suites = require('./suites')

async function main (suite, body, way) {
  const { bodies, enough, figureOf, ways } = suites[suite]
  const material = bodies[body](way)
  const { length } = material.text ?? material.lines
  let lowest = Infinity // us of CPU time
  for (let read = 0; read < enough; read += length) {
    const begin = process.cpuUsage()
    const seen = await ways[way](material)
    const { system, user } = process.cpuUsage(begin)
    if (seen !== material.count) throw new Error(`${way}: ${seen} records`)
    lowest = Math.min(lowest, user + system)
  }
  console.log(figureOf(lowest, length))
}

main(...process.argv.slice(2))
