'use strict'

// The process that sends the load, so that it has a core of its own. It serves
// several servers, one after the other.

const { handleCommands, sayReady } = require('./ipc-worker')
const Load = require('./load')
const { createRandom } = require('./random')

const loads = new Map() // id of a server -> its load
const figures = new Map() // id -> figures of what counted last

handleCommands({
  async open ({ id, requests, ...settings }) {
    const decoded = requests.map(({ message, expected }) => ({ message: Buffer.from(message, 'base64'), expected }))
    loads.set(id, await Load.open({ ...settings, requests: decoded }))
  },
  start: ({ id, rate, seed = 1 }) => loads.get(id).start({ rate, random: createRandom(seed) }),
  begin: ({ id }) => loads.get(id).begin(),
  end: ({ id }) => { figures.set(id, loads.get(id).end()) },
  async stop ({ id }) {
    await loads.get(id).stop()
    return figures.get(id)?.() ?? {}
  },
  burst: ({ id, connections }) => loads.get(id).burst(connections),
  close ({ id }) {
    loads.get(id).close()
    loads.delete(id)
    figures.delete(id)
  }
})
sayReady()
