'use strict'

const { figure } = require('./words')

/**
 * Tells how far a run is: a bar with the time left on a terminal, plain lines
 * elsewhere, nothing with `quiet`.
 *
 * @param {object} settings
 * @param {NodeJS.WriteStream} [stream]
 */
function createProgress (settings, stream = process.stderr) {
  if (settings.quiet) return { say () {}, expect () {}, round () {}, done () {}, stop () {} }
  return stream.isTTY ? createBar(settings, stream) : createLines(stream)
}

function createLines (stream) {
  const say = (line) => stream.write(`${line}\n`)
  return {
    say,
    expect () {},
    round (scenario, number, pair) {
      const sides = Object.entries(pair).sort().map(([letter, block]) => `${letter} ${primaryText(block)}`)
      say(`${scenario.name}, round ${number}: ${sides.join(', ')}`)
    },
    done () {},
    stop () {}
  }
}

function primaryText ({ cpu, rps }) {
  return cpu === undefined ? figure(rps, '/s') : `${figure(cpu, 'us')} of CPU per request`
}

function createBar (settings, stream) {
  const { SingleBar } = require('cli-progress')
  const bar = new SingleBar({ format: '{bar} {percentage} % | {left} left | {what}', stream, linewrap: true })
  const began = Date.now()
  let scenarios = 1
  let finished = 0
  let running = false
  const show = (portion, what) => {
    const done = (finished + portion) / scenarios
    const left = settings.rounds === 'auto'
      ? (scenarios - finished) * settings.maxTime * 1000 * (1 - portion / (scenarios - finished || 1))
      : (Date.now() - began) / done * (1 - done)
    const payload = { left: `${settings.rounds === 'auto' ? 'at most ' : ''}${clock(left)}`, what }
    if (!running) bar.start(1000, 0, payload)
    running = true
    bar.update(Math.round(done * 1000), payload)
  }
  const stop = () => {
    if (running) bar.stop()
    running = false
  }
  process.on('exit', stop) // gives the cursor back
  let scenarioBegan = began
  return {
    say (line) {
      if (!running) stream.write(`${line}\n`)
    },
    expect (count) {
      scenarios = count
    },
    round (scenario, number) {
      const portion = settings.rounds === 'auto'
        ? Math.min(0.99, (Date.now() - scenarioBegan) / 1000 / settings.maxTime)
        : number / settings.rounds
      show(portion, `${scenario.name}, round ${number}`)
    },
    done (scenario) {
      finished++
      scenarioBegan = Date.now()
      show(0, scenario.name)
    },
    stop
  }
}

function clock (milliseconds) {
  const seconds = Math.max(0, Math.round(milliseconds / 1000))
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`
}

module.exports = { createProgress }
