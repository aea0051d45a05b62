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
  bar.start(total, 0, { name: '' })
  process.once('SIGINT', interrupted)
  let done = 0
  return {
    step: (name) => bar.update(done++, { name }),
    stop () {
      process.off('SIGINT', interrupted)
      bar.stop()
    }
  }

  /** Gives the terminal its cursor and its line wrap back. */
  function interrupted () {
    bar.stop()
    process.exit(130)
  }
}

module.exports = createProgress
