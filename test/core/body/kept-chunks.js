'use strict'

const assert = require('node:assert/strict')
const { PassThrough } = require('node:stream')
const { raw, text } = require('../../..')

const ANY = { type: () => true }
const SIZE = 10

/** What gives an app some bytes, and where they are then. */
const KEPT = {
  'the body of raw': () => [raw(ANY), (req) => req.body],
  'the rawBody of text': () => [text({ ...ANY, rawBody: true }), (req) => req.rawBody],
  'the bytes that verify gets' () {
    let seen
    return [text({ ...ANY, verify: (req, res, bytes) => { seen = bytes } }), () => seen]
  }
}

describe('a small chunk that is a part of a large buffer, as over HTTP/2', () => {
  for (const [what, make] of Object.entries(KEPT)) {
    it(`does not keep that buffer alive: ${what}`, async () => {
      const [parse, keptOf] = make()
      const headers = { 'content-type': 'text/plain', 'content-length': String(SIZE) }
      const req = Object.assign(new PassThrough(), { headers })
      const parsed = new Promise((resolve, reject) => parse(req, {}, (error) => error ? reject(error) : resolve()))
      const large = Buffer.alloc(2 ** 20, 'a')
      req.end(large.subarray(0, SIZE))
      await parsed
      const kept = keptOf(req)
      assert.equal(String(kept), 'a'.repeat(SIZE))
      assert.notEqual(kept.buffer, large.buffer)
    })
  }
})
