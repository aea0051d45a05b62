'use strict'

// Runs one target in a thread, and watches over it.

const path = require('node:path')
const { Worker } = require('node:worker_threads')
const { createMemory, openTray } = require('./tray')

const TRIES = 1000
const SILENCE = 15_000 // ms that one input may take

/**
 * @typedef {object} Finding
 * @property {Buffer} bytes the input
 * @property {string} text what came of it
 * @property {boolean | null} again whether it was wrong a second time, too; null
 *   if that was not tried, as the thread has come to an end
 */

/**
 * @param {object} run
 * @param {string} run.file of the target
 * @param {number} run.seed
 * @param {number} [run.seconds] at most; and
 * @param {number} [run.runs] at most
 * @param {number} [run.tries] to make what was found smaller, at most
 * @param {string} [run.corpus] folder of inputs of earlier runs
 * @param {import('./plant').Plant} [run.plant]
 * @param {Buffer} [run.input] runs this input, and nothing else
 * @param {number} [run.silence] ms
 * @param {(figures: object) => void} [tell]
 * @returns {Promise<{ figures: object, seconds: number, finding: Finding | null }>}
 */
function fuzz ({ seconds = Infinity, runs = Infinity, tries = TRIES, silence = SILENCE, ...run }, tell = () => {}) {
  return new Promise((resolve) => {
    const memory = createMemory()
    const tray = openTray(memory)
    const begun = performance.now()
    const worker = new Worker(path.join(__dirname, 'worker.js'), { workerData: { ...run, seconds, runs, tries, memory } })
    let figures = { executions: 0, points: 0, all: 0, features: 0, inputs: 0 }
    let heard = { count: -1, at: begun }

    const settle = (finding) => {
      clearInterval(watch)
      worker.removeAllListeners()
      worker.on('error', () => {}) // it has told all it has to
      worker.terminate()
      resolve({ figures, seconds: (performance.now() - begun) / 1000, finding })
    }
    const blame = (text) => settle({ bytes: tray.take(), again: null, text })
    const watch = setInterval(() => {
      if (tray.count !== heard.count) heard = { count: tray.count, at: performance.now() }
      else if (performance.now() - heard.at > silence) blame(`no end after ${silence / 1000} s`)
    }, Math.min(500, silence / 2))

    worker.on('message', (message) => {
      if (message.figures !== undefined) figures = message.figures
      if (message.kind === 'figures') tell(figures)
      else settle(message.finding === undefined ? null : { ...message.finding, bytes: Buffer.from(message.finding.bytes) })
    })
    worker.on('error', (error) => {
      if (tray.count === 0) throw error // not even begun
      blame(error?.name === 'WrongAnswer' ? error.message : `not caught: ${error?.stack ?? error}`)
    })
    worker.on('exit', (code) => blame(`the thread ended with ${code}`))
  })
}

module.exports = fuzz
