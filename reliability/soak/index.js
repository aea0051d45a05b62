'use strict'

// npm run soak: mixed traffic for minutes; nothing may be left behind.

const { number, oneOf, runCommand, SEED } = require('../../tools/command-line')

const FAULTS = ['leak', 'handles', 'context', 'rejection'] // see app.js
const COUNTED = ['handles', 'listeners'] // the other trends are of bytes

runCommand({
  usage: `npm run soak -- [options]

Sends a mix of valid, invalid, aborted and compressed requests as fast as it
can, beside requests that other code destroys, pauses or answers while they are
parsed, and samples the idle server again and again: heap, buffers and handles
must not grow, every answer must be right, and there must be no warning,
rejection or exception.
Exit status: 0 if so, 1 if not, 2 for wrong options.
`,
  options: {
    minutes: { value: 'N', read: number(0.02, 24 * 60), default: 10, help: 'how long' },
    guarded: { help: 'with budget, cooperative, timeout and minRate, and clients that stall' },
    seed: SEED,
    'inject-fault': { value: 'NAME', read: oneOf(FAULTS), help: `that must be found, one of ${FAULTS.join(', ')}` }
  },
  failureStatus: 2,
  async run ({ values: settings }) {
    console.log(`${settings.minutes} minutes${settings.guarded ? ', guarded' : ''}, --seed=${settings.seed}`)
    const result = await require('./soak')(settings, (sample) => console.log(sampleText(sample)))
    const reasons = [
      ...result.trends.filter(({ verdict }) => verdict === 'grows').map(({ name }) => `${name} grows`),
      ...result.faults.length > 0 ? ['there are faults'] : []
    ]
    console.log(`${summaryText(result)}\n${reasons.length === 0 ? 'no fault' : `FAILED: ${reasons.join('; ')}`}`)
    process.exitCode = reasons.length === 0 ? 0 : 1
  }
})

const kilobytes = (bytes) => (bytes / 1024).toFixed(0)

function sampleText ({ time, requests, heap, buffers, rss, handles }) {
  return `${time.toFixed(0).padStart(6)} s ${String(requests).padStart(9)} requests, ` +
    `heap ${kilobytes(heap)} KB, buffers ${kilobytes(buffers)} KB, RSS ${kilobytes(rss)} KB, ${handles} handles`
}

/** Slopes, what is left, and faults. */
function summaryText ({ requests, warm, samples, rest, trends, faults }) {
  const slopes = trends.map(({ name, slope, low, high, growth, verdict }) => {
    const [unit, of] = COUNTED.includes(name) ? ['', (value) => value.toFixed(2)] : [' KB', (value) => (value / 1024).toFixed(1)]
    return `${name.padEnd(9)} ${verdict}: ${of(slope)}${unit} a minute (95 % interval ${of(low)} to ${of(high)}), ${of(growth)}${unit} in all`
  })
  const left = Object.entries(rest).map(([name, count]) => `${count} ${name}`).join(', ')
  return [
    `\n${requests} requests, ${samples.length} samples, of which ${warm} to warm up`,
    ...slopes,
    `left without connections: ${left}`,
    ...faults.map((fault) => `fault: ${fault}`)
  ].join('\n')
}
