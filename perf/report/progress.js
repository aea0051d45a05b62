'use strict'

const { createProgress } = require('../../tools/progress')

/**
 * Tells how far a session is: a bar with the time left on a terminal, lines per
 * run elsewhere.
 *
 * @param {{ quiet: boolean, runs: number }} settings
 * @param {NodeJS.WriteStream} [stream]
 */
module.exports = function createRunProgress ({ quiet, runs }, stream) {
  const progress = createProgress({ quiet, stream })
  let scenarios = 1
  let finished = 0

  const show = (portion, what) => progress.update((finished + portion) / scenarios, what)

  return {
    say: progress.say,
    stop: progress.stop,
    expect (count) {
      scenarios = count
    },
    run (scenario, number, counted, { warmUp }, blocks) {
      const name = `${scenario.name}, run ${number}`
      if (!progress.isBar) for (const line of [warmUpText(warmUp), ...loadTexts(blocks)]) progress.say(`${name}: ${line}`)
      show(counted / runs, name)
    },
    done (scenario) {
      finished++
      show(0, scenario.name)
    }
  }
}

function warmUpText (warmUp) {
  return Object.entries(warmUp).map(([letter, steady]) => `${letter} ${steady === null
    ? 'did not become steady'
    : `steady after ${steady.seconds.toFixed(1)} s and ${steady.requests} requests`}`).join(', ')
}

function loadTexts (blocks) {
  return [...new Set(blocks.map(({ load }) => load))].map((load) => {
    const own = blocks.filter((block) => block.load === load)
    const texts = [...new Set(own.map(({ target }) => target))].sort()
      .map((letter) => `${letter} ${own.filter(({ target }) => target === letter).map(primaryText).join(' ')}`)
    return `${load}: ${texts.join(', ')} ${own[0].cpu === undefined ? '/s' : 'us of CPU per request'}`
  })
}

function primaryText ({ cpu, rps, excluded }) {
  const value = cpu === undefined ? Math.round(rps) : cpu.toPrecision(3)
  return excluded === undefined ? value : `(${value})`
}
