'use strict'

const { withLab } = require('../tools/lab')
const { exchangesOf } = require('./answers')
const scenarios = require('./scenarios')
const { start } = require('./session')

const CONNECTIONS = 50
const SERVERS = 5 // of each target, one after the other

/**
 * The peak resident memory of servers that are sent 50 JSON bodies of 5 MB at a time.
 *
 * @param {import('./targets').Target[]} targets
 * @param {object} progress of tools/progress.js
 * @returns {Promise<Record<string, number[]>>} letter -> MiB of each server
 */
module.exports = function measureMemory (targets, progress) {
  const scenario = scenarios.find(({ name }) => name === 'express5-json-huge')
  return withLab(async (lab) => {
    const peaks = Object.fromEntries(targets.map(({ letter }) => [letter, []]))
    for (let i = 0; i < SERVERS; i++) {
      for (const target of targets) {
        const server = await start(lab, target, scenario)
        await server.ask('watch')
        await server.connect(exchangesOf(scenario), CONNECTIONS)
        await server.load({ amount: CONNECTIONS })
        peaks[target.letter].push((await server.ask('figures')).rss / 2 ** 20)
        await lab.stopServers()
      }
      progress.say(`peak memory, ${i + 1} of ${SERVERS}`)
    }
    return peaks
  })
}
