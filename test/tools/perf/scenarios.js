'use strict'

const assert = require('node:assert/strict')
const http = require('node:http')
const { describe, it } = require('mocha')
const { exchangesOf } = require('../../../perf/answers')
const { createServer } = require('../../../perf/app')
const scenarios = require('../../../perf/scenarios')
const sendClosedLoop = require('../../../tools/lab/closed-loop')
const RawLoad = require('../../../tools/lab/raw-load')

const ROOT = require('node:path').join(__dirname, '../../..')

async function sendRaw ({ amount, ...loop }) {
  const load = await RawLoad.open(loop)
  await load.run({ amount })
  load.close()
}

describe('perf/scenarios', () => {
  for (const scenario of scenarios) {
    describe(scenario.name, () => {
      if (scenario.app === 'express4') return
      it('gets the answers that it expects, from body-parser', async () => {
        const server = createServer({ scenario: scenario.name, folder: ROOT })
        assert.ok(server instanceof http.Server)
        await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve))
        const requests = exchangesOf(scenario)
        const loop = { port: server.address().port, requests, connections: 1 }
        try {
          await (requests.some(({ chunks }) => chunks) ? sendRaw : sendClosedLoop)({ ...loop, amount: requests.length })
        } finally {
          server.close()
          server.closeAllConnections()
        }
      })
    })
  }
})
