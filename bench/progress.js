'use strict'

const { SingleBar } = require('cli-progress')

/**
 * A bar on a terminal; nothing where stderr is none.
 *
 * @param {number} total steps
 * @returns {{ step: (name: string) => void, stop: () => void }} `step` is
 *   called with the name of what comes next
 */
function createProgress (total) {
  const bar = new SingleBar({
    format: '{bar} {value}/{total}, {eta_formatted} left: {name}',
    clearOnComplete: true,
    hideCursor: true,
    noTTYOutput: false
  })
  bar.start(total, -1, { name: '' })
  return {
    step: (name) => bar.increment({ name }),
    stop: () => bar.stop()
  }
}

module.exports = createProgress
