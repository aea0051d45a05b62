'use strict'

const path = require('node:path')
const { chooseCores, pinTo } = require('../../tools/cpu-affinity')
const IpcProcess = require('../../tools/ipc-process')
const { createRandom, shuffle } = require('../../tools/random')
const { checkStrategy, measureBlock } = require('./block')
const { resultOf } = require('./result')
const strategies = require('./strategies')

/**
 * Measures the strategies alternately, in another order in each round. The load
 * has a core to itself; the servers are free, as some have threads.
 *
 * @param {object} settings of options.js
 * @param {(line: string) => void} say
 * @returns {Promise<object>} see result.js
 */
module.exports = async function session (settings, say) {
  const chosen = strategies.filter(({ id }) => settings.only.includes(id))
  const command = [process.execPath, path.join(__dirname, 'load-process.js')]
  const load = new IpcProcess('load', pinTo(command, chooseCores()?.driver), __dirname)
  try {
    for (const strategy of chosen) {
      say(`checking ${strategy.name}`)
      await checkStrategy(strategy, load, settings)
    }
    return resultOf(chosen, await measureRounds(chosen, load, settings, say), settings)
  } finally {
    await load.close()
  }
}

async function measureRounds (chosen, load, settings, say) {
  const blocks = Object.fromEntries(chosen.map(({ id }) => [id, []]))
  const random = createRandom(settings.seed)
  for (let round = 1; round <= settings.rounds; round++) {
    for (const strategy of shuffle([...chosen], random)) {
      const block = await measureBlock(strategy, load, settings)
      blocks[strategy.id].push(block)
      const { latency: { p50, p99 }, postRate, hold } = block
      say(`round ${round}, ${strategy.name}: p50 ${p50.toFixed(1)} ms, p99 ${p99.toFixed(1)} ms, ` +
        `${postRate.toFixed(2)} posts/s, longest turn ${hold.toFixed(1)} ms`)
    }
  }
  return blocks
}
