'use strict'

// The process that sends the load and compares every response.

const { answerOrders } = require('../../tools/ipc-worker')
const { loadScenario } = require('../scenarios')
const check = require('./check')
const ClosedLoop = require('./closed-loop')
const OpenLoop = require('./open-loop')

const loads = new Map() // letter of a target -> its load
const counted = new Map() // letter of a target -> the tally of its last turn

answerOrders({
  check: ({ scenario, ...settings }) => check(loadScenario(scenario), settings),

  open ({ letter, scenario, ...settings }) {
    const Load = settings.rate === null ? ClosedLoop : OpenLoop
    loads.set(letter, new Load(loadScenario(scenario), settings))
  },

  start: ({ letter }) => loads.get(letter).start(),
  begin: ({ letter }) => loads.get(letter).begin(),
  end: ({ letter }) => { counted.set(letter, loads.get(letter).end()) },

  async stop ({ letter }) {
    const load = loads.get(letter)
    await load.stop()
    return { problem: load.tally.problem, counts: counted.get(letter) ?? null }
  },

  async close ({ letter }) {
    await loads.get(letter).close()
    loads.delete(letter)
    counted.delete(letter)
  }
})
