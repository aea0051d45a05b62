'use strict'

// Runs one target in a thread, and ends it if an input takes too long.

const path = require('node:path')
const { Worker } = require('node:worker_threads')
const { createMemory, openSharedInput } = require('./shared-input')

const TRIES = 1000
const SILENCE = 15_000 // ms that one input may take

/**
 * @typedef {object} Finding
 * @property {Buffer} bytes the input
 * @property {string} text what was found
 * @property {boolean | null} isRepeatable whether the input had the same result a
 *   second time; null if that was not tried, because the thread has ended
 */

/**
 * @param {object} run
 * @param {string} run.file of the target
 * @param {number} run.seed
 * @param {number} [run.seconds] at most; and
 * @param {number} [run.runs] at most
 * @param {number} [run.tries] to minimize a finding, at most
 * @param {string} [run.corpus] folder of inputs of earlier runs
 * @param {import('./faults').Fault} [run.fault]
 * @param {Buffer} [run.input] runs only this input
 * @param {number} [run.silence] ms
 * @param {(figures: object) => void} [tell]
 * @returns {Promise<{ figures: object, seconds: number, finding: Finding | null }>}
 */
function fuzz ({ seconds = Infinity, runs = Infinity, tries = TRIES, silence = SILENCE, ...run }, tell = () => {}) {
  return new Promise((resolve) => {
    const memory = createMemory()
    const input = openSharedInput(memory)
    const begun = performance.now()
    const worker = new Worker(path.join(__dirname, 'worker.js'), { workerData: { ...run, seconds, runs, tries, memory } })
    let figures = { executions: 0, points: 0, all: 0, features: 0, inputs: 0 }
    let latest = { count: -1, at: begun }

    const settle = (finding) => {
      clearInterval(watch)
      worker.removeAllListeners()
      worker.on('error', () => {}) // it has nothing more to report
      worker.terminate()
      resolve({ figures, seconds: (performance.now() - begun) / 1000, finding })
    }
    const blame = (text) => settle({ bytes: input.take(), isRepeatable: null, text })
    const watch = setInterval(() => {
      if (input.count !== latest.count) latest = { count: input.count, at: performance.now() }
      else if (performance.now() - latest.at > silence) blame(`no result after ${silence / 1000} s`)
    }, Math.min(500, silence / 2))

    worker.on('message', (message) => {
      if (message.figures !== undefined) figures = message.figures
      if (message.kind === 'figures') tell(figures)
      else settle(message.finding === undefined ? null : { ...message.finding, bytes: Buffer.from(message.finding.bytes) })
    })
    worker.on('error', (error) => {
      if (input.count === 0) throw error // before the first input
      blame(error?.name === 'WrongAnswer' ? error.message : `uncaught: ${error?.stack ?? error}`)
    })
    worker.on('exit', (code) => blame(`the thread ended with ${code}`))
  })
}

module.exports = fuzz
