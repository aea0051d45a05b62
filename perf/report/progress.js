'use strict'

const { clock, createProgress } = require('../../tools/progress')
const { figure } = require('../results/format')

/**
 * Tells how far a run is: a bar with the time left on a terminal, a line per
 * round elsewhere.
 *
 * @param {{ quiet: boolean, rounds: number | 'auto', maxTime: number }} settings
 * @param {NodeJS.WriteStream} [stream]
 */
module.exports = function createRunProgress ({ quiet, rounds, maxTime }, stream) {
  const progress = createProgress({ quiet, stream })
  let scenarios = 1
  let finished = 0
  let began = Date.now() // of the scenario

  function show (portion, what) {
    const timeLeft = rounds === 'auto' ? `at most ${clock((scenarios - finished - portion) * maxTime * 1000)}` : undefined
    progress.update((finished + portion) / scenarios, what, timeLeft)
  }

  return {
    say: progress.say,
    stop: progress.stop,
    expect (count) {
      scenarios = count
    },
    round (scenario, number, pair) {
      const name = `${scenario.name}, round ${number}`
      const targets = Object.entries(pair).sort().map(([letter, block]) => `${letter} ${primaryText(block)}`)
      if (!progress.isBar) progress.say(`${name}: ${targets.join(', ')}`)
      show(rounds === 'auto' ? Math.min(0.99, (Date.now() - began) / 1000 / maxTime) : number / rounds, name)
    },
    done (scenario) {
      finished++
      began = Date.now()
      show(0, scenario.name)
    }
  }
}

function primaryText ({ cpu, rps }) {
  return cpu === undefined ? figure(rps, '/s') : `${figure(cpu, 'us')} of CPU per request`
}
