'use strict'

// The process that sends the load and compares every response.

const { answerOrders } = require('../../tools/ipc-worker')
const { loadScenario } = require('../scenarios')
const check = require('./check')
const ConstantRate = require('./constant-rate')
const Saturation = require('./saturation')
const Tally = require('./tally')

const loads = new Map() // letter of a target -> its load

answerOrders({
  check: ({ scenario, ...settings }) => check(loadScenario(scenario), settings),

  open ({ letter, scenario, ...settings }) {
    const Load = settings.rate === null ? Saturation : ConstantRate
    loads.set(letter, new Load(loadScenario(scenario), settings))
  },

  async go ({ letter, duration, afresh }) {
    const load = loads.get(letter)
    if (afresh) load.tally = new Tally()
    await load.go(duration)
    return { problem: load.tally.problem }
  },

  async finish ({ letter }) {
    const load = loads.get(letter)
    loads.delete(letter)
    await load.close()
    return { load: load.tally }
  }
})
