'use strict'

// npm run soak: mixed traffic for minutes; nothing may be left behind.

const { number, oneOf, runCommand, SEED } = require('../../tools/command-line')

const FAULTS = ['leak', 'handles', 'context', 'rejection'] // see app.js

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
  async run ({ values: settings }) {
    console.log(`${settings.minutes} minutes${settings.guarded ? ', guarded' : ''}, --seed=${settings.seed}`)
    const { trends, faults } = await require('./soak')(settings, (sample) => console.log(sampleText(sample)))
    const growing = trends.filter(({ verdict }) => verdict === 'grows').map(({ name }) => `${name} grows`)
    for (const trend of trends) console.log(trendText(trend))
    const wrong = [...growing, ...faults]
    console.log(wrong.length === 0 ? 'no fault' : `FAILED: ${wrong.join('\n')}`)
    process.exitCode = wrong.length === 0 ? 0 : 1
  }
})

const kilobytes = (bytes) => (bytes / 1024).toFixed(0)

function sampleText ({ time, requests, heap, buffers, rss, handles }) {
  return `${time.toFixed(0).padStart(6)} s ${String(requests).padStart(9)} requests, ` +
    `heap ${kilobytes(heap)} KB, buffers ${kilobytes(buffers)} KB, RSS ${kilobytes(rss)} KB, ${handles} handles`
}

function trendText ({ name, isBytes, verdict, slope, low, high, growth }) {
  const textOf = (value) => isBytes ? `${(value / 1024).toFixed(1)} KB` : value.toFixed(2)
  const [a, b, c, all] = [slope, low, high, growth].map(textOf)
  return `${name.padEnd(9)} ${verdict}: ${a} a minute (95 % interval ${b} to ${c}), ${all} in all`
}
