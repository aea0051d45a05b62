'use strict'

const { SingleBar } = require('cli-progress')

/** Shows the progress of a command: a bar with the time left on a terminal, and elsewhere the lines that it says. */
function createProgress () {
  const format = '{bar} {percentage} % | {eta_formatted} left | {what}'
  const bar = new SingleBar({ format, linewrap: true, clearOnComplete: true, hideCursor: true })
  const stop = () => bar.stop()
  process.on('exit', stop) // gives the cursor back
  return {
    say (line) {
      if (!bar.isActive) process.stderr.write(`${line}\n`)
    },
    update (portion, what) {
      if (!bar.isActive) bar.start(1000, 0, { what }) // shows nothing where there is no terminal
      bar.update(Math.round(portion * 1000), { what })
    },
    stop
  }
}

/**
 * @param {number} began by `performance.now()`
 * @param {number} portion that is done, above 0
 * @returns {string} how long the rest takes, if it goes on like this
 */
function timeLeft (began, portion) {
  const seconds = Math.ceil((performance.now() - began) * (1 / portion - 1) / 1000)
  return seconds < 100 ? `${seconds} s left` : `${Math.round(seconds / 60)} minutes left`
}

module.exports = { createProgress, timeLeft }
