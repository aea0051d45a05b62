'use strict'

const { SingleBar } = require('cli-progress')

/**
 * Shows the progress of a command: a bar with the time left on a terminal, lines
 * elsewhere.
 *
 * @returns {{ isBar: boolean, say: (line: string) => void, update: (portion: number, what: string) => void, stop:
 *   () => void }} `isBar`: a bar is shown, and lines only before it and after it
 */
function createProgress () {
  const { stderr } = process
  const bar = !stderr.isTTY
    ? null
    : new SingleBar({
      format: '{bar} {percentage} % | {eta_formatted} left | {what}',
      linewrap: true,
      clearOnComplete: true,
      hideCursor: true
    })
  const stop = () => bar?.stop()
  process.on('exit', stop) // gives the cursor back
  return {
    isBar: bar !== null,
    say (line) {
      if (!bar?.isActive) stderr.write(`${line}\n`)
    },
    update (portion, what) {
      if (bar === null) return
      if (!bar.isActive) bar.start(1000, 0, { what })
      bar.update(Math.round(portion * 1000), { what })
    },
    stop
  }
}

module.exports = { createProgress }
