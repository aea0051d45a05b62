'use strict'

const assert = require('node:assert/strict')
const { once } = require('node:events')

const hasSqlite = process.getBuiltinModule?.('node:sqlite') !== undefined // Node 22.13

describe('examples/bulk-insert.js', () => {
  (hasSqlite ? it : it.skip)('inserts records, in one transaction for each 500', async () => {
    const server = require('../../examples/bulk-insert').listen(0, '127.0.0.1')
    await once(server, 'listening')
    const post = async (body) => {
      const response = await fetch(`http://127.0.0.1:${server.address().port}/bulk`, { method: 'POST', headers: { 'Content-Type': 'application/x-ndjson' }, body })
      return [response.status, await response.json()]
    }
    const lines = (count) => Array.from({ length: count }, (_, index) => `{"name":"user ${index}"}\n`).join('')
    try {
      assert.deepEqual(await post(lines(1234)), [201, { inserted: 1234, total: 1234 }])
      assert.deepEqual(await post(`${lines(600)}1`), [400, { error: { status: 400, type: 'entity.parse.failed', line: 601 } }])
      assert.deepEqual(await post(`${lines(600)}{"name":null}`), [500, { error: { status: 500 } }])
      assert.deepEqual(await post(''), [201, { inserted: 0, total: 1234 + 600 + 500 }])
    } finally {
      server.closeAllConnections()
      server.close()
    }
  })
})
