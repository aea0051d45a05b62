'use strict'

const { SingleBar } = require('cli-progress')

/**
 * @typedef {object} Progress
 * @property {boolean} isBar a bar is shown, and lines are not
 * @property {(line: string) => void} say prints a line, unless a bar is running
 * @property {(portion: number, what: string, left?: string) => void} update moves the bar; `left` replaces
 *   the estimate of the time that is left
 * @property {() => void} stop
 */

/**
 * Tells how far a command is: a bar with the time left on a terminal, lines
 * elsewhere, nothing if `quiet`.
 *
 * @param {{ quiet?: boolean, stream?: NodeJS.WriteStream }} [settings]
 * @returns {Progress}
 */
function createProgress ({ quiet = false, stream = process.stderr } = {}) {
  if (quiet) return { isBar: false, say () {}, update () {}, stop () {} }
  if (!stream.isTTY) return { isBar: false, say: (line) => { stream.write(`${line}\n`) }, update () {}, stop () {} }
  return createBar(stream)
}

function createBar (stream) {
  const bar = new SingleBar({ format: '{bar} {percentage} % | {left} left | {what}', stream, linewrap: true, clearOnComplete: true, hideCursor: true })
  const began = Date.now()
  let running = false
  const stop = () => {
    if (running) bar.stop()
    running = false
  }
  process.on('exit', stop) // gives the cursor back
  return {
    isBar: true,
    say (line) {
      if (!running) stream.write(`${line}\n`)
    },
    update (portion, what, left = portion > 0 ? clock((Date.now() - began) / portion * (1 - portion)) : '?') {
      if (!running) bar.start(1000, 0, { left, what })
      running = true
      bar.update(Math.round(portion * 1000), { left, what })
    },
    stop
  }
}

/** @param {number} milliseconds @returns {string} such as `3:05` */
function clock (milliseconds) {
  const seconds = Math.max(0, Math.round(milliseconds / 1000))
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`
}

module.exports = { createProgress, clock }
