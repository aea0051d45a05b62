'use strict'

// The driver process: sends load and looks at every response. It talks to its
// parent over IPC: in come `check` and `run`, out go `checked`, `ran` and
// `failed`.

const check = require('./drivers/check')
const saturate = require('./drivers/saturate')
const pace = require('./drivers/pace')
const { loadScenario } = require('./scenario')

process.on('message', async ({ type, scenario: name, ...settings }) => {
  try {
    const scenario = loadScenario(name)
    if (type === 'check') {
      await check(scenario, settings)
      process.send({ type: 'checked' })
    } else {
      const drive = settings.rate === null ? saturate : pace
      process.send({ type: 'ran', load: await drive(scenario, settings) })
    }
  } catch (error) {
    process.send({ type: 'failed', reason: error.message })
  }
})

process.on('disconnect', () => process.exit())
