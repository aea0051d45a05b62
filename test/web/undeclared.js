'use strict'

// Requests whose body is a stream, and may have no bytes: a proxy has sent them
// in chunks.

const assert = require('node:assert/strict')
const { setTimeout: delay } = require('node:timers/promises')
const web = require('fast-body-parser/web')
const collectGarbage = require('../support/collect-garbage')
const { cloning } = require('../support/where')

const schema = { '~standard': { version: 1, vendor: 'test', validate: (value) => ({ value: value ?? 'nothing' }) } }
const readAll = async (records) => {
  const all = []
  for await (const record of records) all.push(record)
  return all
}
/** Of what is not of their type: what they give without content. */
const readers = {
  'json({ schema })': [web.json({ schema }), 'nothing'],
  ndjson: [async (request) => readAll(web.ndjson()(request)), []]
}

function requestOf (chunks, headers = {}) {
  const body = new ReadableStream({
    start (controller) {
      for (const chunk of chunks) controller.enqueue(new TextEncoder().encode(chunk))
      controller.close()
    }
  })
  return new Request('http://test', { method: 'POST', headers, body, duplex: 'half' })
}

for (const [name, [read, nothing]] of Object.entries(readers)) {
  describe(`${name} of web, for a request of undeclared length`, () => {
    for (const headers of [{}, { 'content-type': 'text/xml' }, { 'transfer-encoding': 'chunked' }]) {
      it(`passes one without content, with ${JSON.stringify(headers)}`, async () => {
        for (const chunks of [[], ['']]) assert.deepEqual(await read(requestOf(chunks, headers)), nothing)
      })

      it(`refuses content, which stays to be read, with ${JSON.stringify(headers)}`, async () => {
        const request = requestOf(['', '<a', '/>'], headers)
        await assert.rejects(read(request), { status: 415, type: 'media.type.unsupported' })
        assert.equal(await request.text(), '<a/>')
      })
    }

    it('passes one that declares a length of 0, whatever its body is', async () => {
      assert.deepEqual(await read(requestOf([], { 'content-length': '0', 'content-type': 'text/xml' })), nothing)
    })

    it('refuses what declares a length, or is being read by others', async () => {
      await assert.rejects(read(requestOf([], { 'content-length': '5' })), { status: 415 })
      const request = requestOf(['x'])
      request.body.getReader()
      await assert.rejects(read(request), { status: 415 })
    })
  })
}

describe('content that is refused, and stays to be read,', () => {
  for (const [name, read] of Object.entries({ schema: web.json({ schema }), firstOf: web.firstOf(web.json()) })) {
    cloning.it(`is not kept in memory while it is read afterwards (${name})`, async () => {
      const refs = []
      let pulled = 0
      const body = new ReadableStream({
        pull (controller) {
          if (pulled++ === 20) return controller.close()
          const chunk = new Uint8Array(1000)
          refs.push(new WeakRef(chunk))
          controller.enqueue(chunk)
        }
      }, { highWaterMark: 0 })
      const request = new Request('http://test', { method: 'POST', body, duplex: 'half' })
      await assert.rejects(read(request), { status: 415 })
      const reader = request.body.getReader()
      for (let count = 0; count < 15; count++) assert.equal((await reader.read()).value.length, 1000)
      await delay(5)
      collectGarbage()
      const kept = refs.filter((ref) => ref.deref() !== undefined).length
      assert.ok(kept < 5, `${kept} chunks are kept`)
      for (let count = 0; count < 5; count++) assert.equal((await reader.read()).value.length, 1000)
      assert.equal((await reader.read()).done, true)
    })
  }
})

describe('a timeout of web', () => {
  it('bounds the wait for a first byte', async () => {
    const body = new ReadableStream({})
    const request = new Request('http://test', { method: 'POST', body, duplex: 'half' })
    await assert.rejects(web.json({ schema, timeout: 20 })(request), { status: 408 })
  })
})
