'use strict'

const path = require('node:path')
const { withLab } = require('../../tools/lab')
const { createRandom } = require('../../tools/random')
const { Client } = require('./client')
const sendOrdinary = require('./ordinary')
const { mayStall, mixOf } = require('./traffic')
const { trendsOf } = require('./verdict')

const CONNECTIONS = 8 // of ordinary traffic, and as many of clients that disturb it
const WARM_UP = 0.5 // of the time: V8 goes on compiling for minutes
const SAMPLES = 60
const FAULTS = 20 // that are reported
const LEAST_INTERVAL = 0.15 // s between two samples

/**
 * @param {object} settings
 * @param {number} settings.minutes
 * @param {number} settings.seed
 * @param {string | null} settings.injectFault
 * @param {boolean} [settings.guarded] with budget, cooperative, timeout and minRate
 * @param {(sample: object) => void} [progress] is called with every sample
 * @returns {Promise<{ requests: number, rest: object, trends: object[], faults: string[] }>}
 */
function soak ({ minutes, seed, injectFault, guarded = false }, progress = () => {}) {
  return withLab(async (lab) => {
    const app = path.join(__dirname, 'app.js')
    const settings = { injectFault, guarded }
    const server = await lab.start({ name: 'the server under soak', app, settings, flags: ['--expose-gc'] })
    const faults = []
    const fault = (text) => faults.length < FAULTS && faults.push(text)
    const random = createRandom(seed)
    const mix = mixOf(random, guarded)
    const load = { mix, stalling: guarded ? mix.filter(mayStall) : [], random, fault }
    const clients = Array.from({ length: CONNECTIONS }, () => new Client(server.port, load))
    const interval = Math.max(minutes * 60 / SAMPLES, LEAST_INTERVAL)
    const start = performance.now()
    const samples = []
    while (samples.length < 5 || performance.now() - start < minutes * 60_000) {
      const ordinary = sendOrdinary(server.port, CONNECTIONS, load, interval)
      await Promise.all([ordinary, ...clients.map((client) => client.run(interval))])
      samples.push({ ...await sampleOf(server, fault), time: (performance.now() - start) / 1000 })
      progress(samples.at(-1))
    }
    for (const client of clients) client.close()
    const rest = await server.ask('rest')
    for (const [name, count] of Object.entries(rest)) {
      if (count > 0) fault(`${count} ${name} are left when all connections are closed`)
    }
    const trends = trendsOf(samples.slice(Math.floor(samples.length * WARM_UP)))
    return { requests: samples.at(-1).requests, rest, trends, faults }
  })
}

async function sampleOf (server, fault) {
  await server.ask('collect')
  const { faults, ...sample } = await server.ask('sample')
  const { requests } = await server.ask('usage')
  faults.forEach(fault)
  if (sample.pending !== 0) fault(`${sample.pending} requests whose parser never called next`)
  if (sample.held !== 0) fault(`${sample.held} bytes and requests that a budget counts, without a request`)
  return { ...sample, requests }
}

module.exports = soak
