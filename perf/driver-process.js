'use strict'

// The driver process: sends load and looks at every response. It talks to its
// parent over IPC:
//   check   each request once                  -> checked
//   open    connections to the server of a side -> opened
//   go      load for one slice                 -> went
//   close   the end of a side                  -> closed
// and `failed` where it cannot go on.

const check = require('./drivers/check')
const Pace = require('./drivers/pace')
const Saturation = require('./drivers/saturate')
const Tally = require('./drivers/tally')
const { loadScenario } = require('./scenario')

const drives = new Map() // letter of a side -> what drives it

const orders = {
  async check ({ scenario, ...settings }) {
    return { type: 'checked', ...await check(loadScenario(scenario), settings) }
  },

  async open ({ letter, scenario, ...settings }) {
    const Drive = settings.rate === null ? Saturation : Pace
    drives.set(letter, new Drive(loadScenario(scenario), settings))
    return { type: 'opened' }
  },

  async go ({ letter, duration, afresh }) {
    const drive = drives.get(letter)
    if (afresh) drive.tally = new Tally()
    await drive.go(duration)
    return { type: 'went', problem: drive.tally.problem }
  },

  async close ({ letter }) {
    const drive = drives.get(letter)
    drives.delete(letter)
    await drive.close()
    return { type: 'closed', load: drive.tally }
  }
}

process.on('message', async ({ type, ...order }) => {
  try {
    process.send(await orders[type](order))
  } catch (error) {
    process.send({ type: 'failed', reason: error.message })
  }
})

process.on('disconnect', () => process.exit())
