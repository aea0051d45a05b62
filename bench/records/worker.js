'use strict'

// A process for one way to read one body: worker.js SUITE BODY WAY prints the best figure of several, as other
// processes share the cores.

const suites = require('./suites')

const ENOUGH = 150e6 // bytes that are read, so that the best time is one of warm code
const TIMES = 7 // at least

async function main (suite, body, way) {
  const { bodies, figureOf, ways } = suites[suite]
  const material = bodies[body](way)
  const { length } = material.text ?? material.lines
  let lowest = Infinity // us of CPU time
  for (let read = 0, times = 0; read < ENOUGH || (times < TIMES && read < 7 * ENOUGH); read += length, times++) {
    const begin = process.cpuUsage()
    const seen = await ways[way](material)
    const { system, user } = process.cpuUsage(begin)
    if (seen !== material.count) throw new Error(`${way}: ${seen} records`)
    lowest = Math.min(lowest, user + system)
  }
  console.log(figureOf(lowest, length))
}

main(...process.argv.slice(2))
