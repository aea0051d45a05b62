'use strict'

const path = require('node:path')
const { setTimeout: delay } = require('node:timers/promises')
const IpcProcess = require('../../tools/ipc-process')
const { pipeline, volley } = require('./client')
const figuresOf = require('./figures')

const START = 10_000 // ms for the server to listen
const ANSWER = 60_000 // ms for the server to report its figures: an attack may hold its loop
const LAPS = 8
const SETTLE = 30 // ms after a lap, in which the server frees what it held

/**
 * Runs one attack on a fresh server.
 *
 * @param {import('./catalog').Attack} attack
 * @param {string} target see targets.js
 * @param {number} [laps] fewer than the attack has
 * @returns {Promise<import('./figures').Figures>}
 */
async function run (attack, target, laps = Infinity) {
  const messageOf = await attack.prepare()
  const { name, parser, options, server = {}, crowd = 1, each } = attack
  const settings = JSON.stringify({ target, parser, options, server })
  const child = new IpcProcess(`${name}, ${target}`, [process.execPath, path.join(__dirname, 'server.js'), settings], __dirname)
  try {
    const { port } = await child.ready(START)
    await child.ask('meter', {}, ANSWER)
    const seen = []
    while (seen.length < Math.min(laps, attack.laps ?? LAPS)) {
      const volleyed = each === undefined
        ? await volley(port, messageOf, crowd)
        : await pipeline(port, messageOf, crowd, each, seen.length * crowd * each)
      await delay(SETTLE)
      seen.push({ ...volleyed, ...await child.ask('lap', {}, ANSWER) })
    }
    return figuresOf(seen)
  } finally {
    await child.close()
  }
}

module.exports = run
