'use strict'

const { fitLine } = require('../../tools/statistics')

// What V8 itself adds over a run for compiled code and type feedback, however
// long the run is.
const OWN_GROWTH = 512 * 1024 // bytes

/** Quantity that must be flat -> growth over the whole run that does not count as a leak. */
const QUANTITIES = { heap: OWN_GROWTH, buffers: OWN_GROWTH, handles: 0.5, listeners: 0.5 }

/**
 * Whether something grew: the fitted slope is significant (its 95 % interval
 * is above 0), and amounts to more than is tolerated over the run.
 *
 * @param {{ time: number }[]} samples after the warm-up; `time` in s
 * @returns {{ name: string, isBytes: boolean, slope: number, low: number, high: number, growth: number, verdict:
 *   string }[]} slopes per minute; `growth` is the slope's over the whole run; `verdict`: flat, settles or grows
 */
function trendsOf (samples) {
  const minutes = samples.map(({ time }) => time / 60)
  const span = minutes.at(-1) - minutes[0]
  return Object.entries(QUANTITIES).map(([name, tolerated]) => {
    const line = fitLine(minutes, samples.map((sample) => sample[name]))
    const growth = line.slope * span
    const verdict = line.low <= 0 ? 'flat' : growth > tolerated ? 'grows' : 'settles'
    return { name, isBytes: tolerated === OWN_GROWTH, ...line, growth, verdict }
  })
}

module.exports = { trendsOf }
