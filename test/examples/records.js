'use strict'

const assert = require('node:assert/strict')
const { once } = require('node:events')
const http = require('node:http')
const { setImmediate } = require('node:timers/promises')

const hasSqlite = process.getBuiltinModule?.('node:sqlite') !== undefined // Node 22.13

/** What is shown on a terminal meanwhile. */
async function progressOf (act) {
  const { stderr } = process
  const { isTTY, write } = stderr
  const lines = []
  Object.assign(stderr, { isTTY: true, write: (text) => lines.push(text) })
  try {
    await act()
  } finally {
    Object.assign(stderr, { isTTY, write })
  }
  return lines
}

describe('examples/bulk-insert.js', () => {
  (hasSqlite ? it : it.skip)('inserts records, in one transaction for each 500', async () => {
    const server = require('../../examples/bulk-insert').listen(0, '127.0.0.1')
    await once(server, 'listening')
    const post = async (body, type = 'application/x-ndjson') => {
      const response = await fetch(`http://127.0.0.1:${server.address().port}/bulk`,
        { method: 'POST', headers: { 'Content-Type': type }, body })
      return [response.status, await response.json()]
    }
    const lines = (count) => Array.from({ length: count }, (_, index) => `{"name":"user ${index}"}\n`).join('')
    try {
      assert.deepEqual(await post(lines(1234)), [201, { inserted: 1234, total: 1234 }])
      assert.deepEqual(await post(`${lines(600)}1`),
        [400, { error: { status: 400, type: 'entity.parse.failed', line: 601 } }])
      assert.deepEqual(await post(`${lines(600)}{"name":null}`), [500, { error: { status: 500 } }])
      assert.deepEqual(await post(''), [201, { inserted: 0, total: 1234 + 600 + 500 }])
      assert.deepEqual(await post('{}', 'application/json'),
        [415, { error: { status: 415, type: 'media.type.unsupported' } }])
      const shown = await progressOf(() => post(lines(1000)))
      assert.equal(shown.at(-1), `\r${'#'.repeat(40)} 100 %, ${lines(1000).length} bytes, 1000 records`)
      assert.equal(shown.length, 2)
    } finally {
      server.closeAllConnections()
      server.close()
    }
  })
})

describe('examples/json-import.js', () => {
  (hasSqlite
    ? it
    : it.skip)('imports the items of an array, and tells its progress also when the client has left', async () => {
    const server = require('../../examples/json-import').listen(0, '127.0.0.1')
    await once(server, 'listening')
    const { port } = server.address()
    const url = `http://127.0.0.1:${port}/imports/`
    const put = async (id, body) => {
      const response = await fetch(url + id, { method: 'PUT', headers: { 'Content-Type': 'application/json' }, body })
      return [response.status, await response.json()]
    }
    const progress = async (id) => (await fetch(url + id)).json()
    const items = Array.from({ length: 1234 }, (_, index) => ({ name: `user ${index}` }))
    const whole = JSON.stringify({ version: 1, users: items })
    try {
      const done = { id: 'a', state: 'complete', items: 1234 }
      assert.deepEqual(await put('a', whole), [201, done])
      assert.deepEqual(await put('a', whole), [409, { error: { status: 409 } }])
      const [status, { error: { record, type } }] = await put('b', whole.slice(0, -3))
      assert.deepEqual([status, record, type], [400, 1234, 'entity.parse.failed'])
      assert.equal((await progress('b')).state, 'failed')
      const client = http.request(`${url}c`, { method: 'PUT', headers: { 'Content-Type': 'application/json' } })
      client.on('error', () => {}).write(whole.slice(0, -100))
      await until(async () => (await progress('c')).items === 1000)
      assert.equal((await progress('c')).state, 'running')
      client.destroy()
      await until(async () => (await progress('c')).state === 'cut off')
      assert.equal((await progress('none')).error.status, 404)
    } finally {
      server.closeAllConnections()
      server.close()
    }
  })
})

async function until (isTrue) {
  while (!await isTrue()) await setImmediate()
}
