'use strict'

// What rarely happens while the body of a Request is read.

const assert = require('node:assert/strict')
const web = require('fast-body-parser/web')
const TYPES = require('../support/types')
const { postPieces } = require('../support/web-request')

const JSON_TYPE = { 'content-type': TYPES.json }
const noMemory = () => { throw new RangeError('no memory') }

/** What a body in pieces is read to, while `object[name]` throws. */
async function readWithout (object, name, parser, headers) {
  const own = object[name]
  const request = postPieces(Array(3).fill(Buffer.from('1'.repeat(5000))), headers)
  object[name] = noMemory
  try {
    return await parser(request)
  } finally {
    object[name] = own
  }
}

describe('the body of a Request', () => {
  it('fails with the error of a runtime that has no memory for its bytes or its text', async () => {
    const error = { name: 'RangeError', message: 'no memory' }
    await assert.rejects(readWithout(Buffer, 'concat', web.json(), JSON_TYPE), error)
    const inLatin1 = { 'content-type': 'text/plain; charset=iso-8859-1' }
    await assert.rejects(readWithout(Buffer.prototype, 'latin1Slice', web.text(), inLatin1), error)
  })

  it('fails with the error of headers that cannot be read when it has come', async () => {
    let isOver = false
    const pull = (controller) => {
      isOver = true
      controller.close()
    }
    const headers = {
      get (name) {
        if (isOver) throw new Error('headers')
        return name === 'content-type' ? TYPES.json : null
      }
    }
    const body = new ReadableStream({ pull }, { highWaterMark: 0 })
    await assert.rejects(web.json()({ headers, body, bodyUsed: false }), { message: 'headers' })
  })

  it('is parsed by code of the app that gets the signal of the Request', async () => {
    const request = postPieces(['[1]'], JSON_TYPE)
    const parse = (text, { signal }) => [JSON.parse(text), signal === request.signal]
    assert.deepEqual(await web.json({ parse })(request), [[1], true])
  })
})
