'use strict'

// npm run soak: mixed traffic for minutes; nothing may be left behind.

const { clearOutput, writeJson } = require('../../tools/atomic-write')
const { runCommand } = require('../../tools/command-line')
const { describeMachine } = require('../../tools/machine')
const options = require('./options')

runCommand({
  usage: `npm run soak -- [options]

Sends a mix of valid, invalid, aborted and compressed requests as fast as it
can, beside requests that other code destroys, pauses or answers while they are
parsed, and samples the idle server again and again: heap, buffers and handles
must not grow, every answer must be right, and there must be no warning,
rejection or exception.
Exit status: 0 if so, 1 if not, 2 for wrong options.
`,
  options,
  failureStatus: 2,
  run: ({ values }) => main(values)
})

async function main ({ minutes, framework, guarded, seed, json, injectFault }) {
  const soak = require('./soak')
  const { sampleText, summaryText } = require('./report')
  if (json !== null) clearOutput([json])

  const settings = { minutes, framework, guarded, seed, injectFault }
  console.log(`${minutes} minutes, ${framework}${guarded ? ', guarded' : ''}, --seed=${seed}`)
  const result = await soak(settings, (sample) => console.log(sampleText(sample)))
  console.log(summaryText(result))
  if (json !== null) writeJson(json, { date: new Date().toISOString(), node: process.version, machine: describeMachine(), settings, ...result })
  const fails = result.faults.length > 0 || result.trends.some(({ verdict }) => verdict === 'grows')
  process.exitCode = fails ? 1 : 0
}
