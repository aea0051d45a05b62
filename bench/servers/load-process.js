'use strict'

// The process that loads all servers, one after the other.

const { answerOrders } = require('../../tools/ipc-worker')
const { quantile } = require('../../tools/statistics')
const Load = require('./load')

const loads = new Map() // id of a server -> its load

answerOrders({
  open: ({ id, message, ...settings }) => { loads.set(id, new Load({ ...settings, message: Buffer.from(message, 'base64') })) },
  start: ({ id, rate }) => loads.get(id).start(rate),
  begin: ({ id }) => loads.get(id).begin(),
  end ({ id }) {
    const latencies = loads.get(id).end()
    return { responses: latencies.length, p50: quantile(latencies, 0.5), p99: quantile(latencies, 0.99) }
  },
  stop: ({ id }) => loads.get(id).stop(),
  burst: ({ id, connections }) => loads.get(id).burst(connections),
  close ({ id }) {
    loads.get(id).close()
    loads.delete(id)
  }
})
