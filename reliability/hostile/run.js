'use strict'

const path = require('node:path')
const { setTimeout: delay } = require('node:timers/promises')
const Channel = require('../../perf/channel')
const { pipeline, volley } = require('./client')
const { figuresOf } = require('./figures')

const START = 10_000 // ms for the server to listen
const ANSWER = 60_000 // ms for the server to tell its figures: an attack may hold its loop
const LAPS = 8
const SETTLE = 30 // ms for the server to let go of a lap

/**
 * Lets one attack loose on a fresh server.
 *
 * @param {import('./attacks').Attack} attack
 * @param {string} side see sides.js
 * @param {number} [laps] fewer than the attack has
 * @returns {Promise<import('./figures').Figures>}
 */
async function run (attack, side, laps = Infinity) {
  const messageOf = await attack.prepare()
  const { name, parser, options, server = {}, crowd = 1, each } = attack
  const settings = JSON.stringify({ side, parser, options, server })
  const channel = new Channel(`${name}, ${side}`, [process.execPath, path.join(__dirname, 'server.js'), settings], __dirname)
  try {
    const { port } = await channel.ask(null, 'ready', START)
    await channel.ask({ type: 'meter' }, 'meter', ANSWER)
    const seen = []
    while (seen.length < Math.min(laps, attack.laps ?? LAPS)) {
      const volleyed = each === undefined
        ? await volley(port, messageOf, crowd)
        : await pipeline(port, messageOf, crowd, each, seen.length * crowd * each)
      await delay(SETTLE)
      seen.push({ ...volleyed, ...await channel.ask({ type: 'lap' }, 'lap', ANSWER) })
    }
    return figuresOf(seen)
  } finally {
    await channel.close()
  }
}

module.exports = run
