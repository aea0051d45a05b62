'use strict'

const path = require('node:path')
const IpcProcess = require('../../tools/ipc-process')
const { createRandom } = require('../../tools/random')
const { Connection } = require('./connection')
const { disturbances } = require('./disturb')
const { CONNECTIONS, run } = require('./load')
const { mayStall, mixOf } = require('./traffic')
const { trendsOf } = require('./verdict')

const WARM_UP = 0.5 // of the time: V8 goes on compiling for minutes
const SAMPLES = 60
const LEAST_INTERVAL = 0.15 // s between two samples
const ANSWER = 30_000 // ms for the server to start, or to take a sample
const FAULTS = 20 // that are reported

/**
 * @param {object} settings
 * @param {number} settings.minutes
 * @param {'http' | 'express'} settings.framework
 * @param {number} settings.seed
 * @param {string | null} settings.injectFault
 * @param {boolean} [settings.guarded] with budget, cooperative, timeout and minRate
 * @param {(sample: object) => void} [progress] is called with every sample
 * @returns {Promise<{ requests: number, warm: number, samples: object[], rest: object, trends: object[], faults: string[] }>}
 *   `warm`: how many samples are of the warm-up
 */
async function soak ({ minutes, framework, seed, injectFault, guarded = false }, progress = () => {}) {
  const command = [process.execPath, '--expose-gc', path.join(__dirname, 'server.js'), JSON.stringify({ framework, injectFault, guarded })]
  const server = new IpcProcess('the server under soak', command, __dirname)
  const faults = []
  const connections = []
  const fault = (text) => {
    if (faults.length < FAULTS) faults.push(text)
  }
  try {
    const { port } = await server.ready(ANSWER)
    for (let i = 0; i < CONNECTIONS; i++) connections.push(new Connection(port))
    const random = createRandom(seed)
    const mix = mixOf(random, guarded)
    const load = { connections, mix, disturbances, stalling: guarded ? mix.filter(mayStall) : [], random, fault }
    const samples = await sampleUntil(minutes * 60, load, async () => {
      const { faults, ...sample } = await server.ask('sample', {}, ANSWER)
      faults.forEach(fault)
      if (sample.pending !== 0) fault(`${sample.pending} requests whose parser never called next`)
      if (sample.held !== 0) fault(`${sample.held} bytes and requests that a budget counts, without a request`)
      return sample
    }, progress)
    for (const connection of connections) connection.close()
    const rest = await server.ask('rest', {}, ANSWER)
    for (const [name, count] of Object.entries(rest)) {
      if (count > 0) fault(`${count} ${name} are left when all connections are closed`)
    }
    const { requests } = samples.at(-1)
    const warm = Math.floor(samples.length * WARM_UP)
    return { requests, warm, samples, rest, trends: trendsOf(samples.slice(warm)), faults }
  } finally {
    for (const connection of connections) connection.close()
    await server.close()
  }
}

async function sampleUntil (seconds, load, look, progress) {
  const interval = Math.max(seconds / SAMPLES, LEAST_INTERVAL)
  const start = performance.now()
  const samples = []
  while (samples.length < 5 || performance.now() - start < seconds * 1000) {
    await run(load, interval)
    const sample = { ...await look(), time: (performance.now() - start) / 1000 }
    samples.push(sample)
    progress(sample)
  }
  return samples
}

module.exports = soak
