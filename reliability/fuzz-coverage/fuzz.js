'use strict'

// Runs one target in a thread, and watches it.

const path = require('node:path')
const { Worker } = require('node:worker_threads')
const { createMemory, openSharedInput } = require('./shared-input')

const TRIES = 1000
const SILENCE = 15_000 // ms that one input may take

/**
 * @typedef {object} Finding
 * @property {Buffer} bytes the input
 * @property {string} text what is wrong
 * @property {boolean | null} again whether it was wrong a second time; null if that
 *   was not tried, as the thread has ended
 */

/**
 * @param {object} run
 * @param {string} run.file of the target
 * @param {number} run.seed
 * @param {number} [run.seconds] at most; and
 * @param {number} [run.runs] at most
 * @param {number} [run.tries] to make what was found smaller, at most
 * @param {string} [run.corpus] folder of inputs of earlier runs
 * @param {import('./faults').Fault} [run.fault]
 * @param {Buffer} [run.input] runs this input, and nothing else
 * @param {number} [run.silence] ms
 * @param {(figures: object) => void} [progress]
 * @returns {Promise<{ figures: object, seconds: number, finding: Finding | null }>}
 */
function fuzz ({ seconds = Infinity, runs = Infinity, tries = TRIES, silence = SILENCE, ...run }, progress = () => {}) {
  return new Promise((resolve) => {
    const memory = createMemory()
    const shared = openSharedInput(memory)
    const start = performance.now()
    const worker = new Worker(path.join(__dirname, 'worker.js'), { workerData: { ...run, seconds, runs, tries, memory } })
    let figures = { executions: 0, points: 0, all: 0, features: 0, inputs: 0 }
    let heard = { count: -1, at: start }

    const settle = (finding) => {
      clearInterval(watch)
      worker.removeAllListeners()
      worker.on('error', () => {}) // its last message has arrived
      worker.terminate()
      resolve({ figures, seconds: (performance.now() - start) / 1000, finding })
    }
    const blame = (text) => settle({ bytes: shared.take(), again: null, text })
    const watch = setInterval(() => {
      if (shared.count !== heard.count) heard = { count: shared.count, at: performance.now() }
      else if (performance.now() - heard.at > silence) blame(`no end after ${silence / 1000} s`)
    }, Math.min(500, silence / 2))

    worker.on('message', (message) => {
      if (message.figures !== undefined) figures = message.figures
      if (message.kind === 'figures') progress(figures)
      else settle(message.finding === undefined ? null : { ...message.finding, bytes: Buffer.from(message.finding.bytes) })
    })
    worker.on('error', (error) => {
      if (shared.count === 0) throw error // before the first input
      blame(error?.name === 'WrongAnswer' ? error.message : `not caught: ${error?.stack ?? error}`)
    })
    worker.on('exit', (code) => blame(`the thread ended with ${code}`))
  })
}

module.exports = fuzz
