'use strict'

const agent = require('elastic-apm-node').start({
  captureBody: 'all',
  centralConfig: false,
  cloudProvider: 'none',
  disableSend: true,
  logLevel: 'off',
  metricsInterval: '0s'
})

const events = []

agent.addTransactionFilter(({ name, context }) => {
  events.push({ name, body: context.request.body ?? null })
  return false
})

require('./serve')({
  look: () => agent.currentTransaction?.type,
  read: async () => {
    await agent.flush()
    return events.splice(0)
  }
})
