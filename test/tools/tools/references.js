'use strict'

const assert = require('node:assert/strict')
const { PassThrough } = require('node:stream')
const { describe, it } = require('mocha')

for (const name of ['minimal', 'compatible']) {
  const parsers = require(`../../../tools/${name}`)

  function parse (kind, ...chunks) {
    return new Promise((resolve, reject) => {
      const req = Object.assign(new PassThrough(), { headers: { 'content-type': 'a/b', 'transfer-encoding': 'chunked' } })
      parsers[kind]({})(req, {}, (error) => error ? reject(error) : resolve(req.body))
      for (const chunk of chunks) req.write(chunk)
      req.end()
    })
  }

  describe(`tools/${name}`, () => {
    it('parses what it collects', async () => {
      assert.deepEqual(await parse('json', '{"a":', '1}'), { a: 1 })
      assert.deepEqual({ ...await parse('urlencoded', 'a=1&b=%20') }, { a: '1', b: ' ' })
      assert.equal(await parse('text', 'hé'), 'hé')
      assert.deepEqual(await parse('raw', 'x'), Buffer.from('x'))
    })

    it('passes errors of the parser on', async () => {
      await assert.rejects(parse('json', '{'), SyntaxError)
    })
  })
}

describe('tools/compatible', () => {
  const { json } = require('../../../tools/compatible')

  it('passes on a request without a body, whose req.body is undefined', () => {
    const req = { headers: {} }
    let calls = 0
    json()(req, {}, () => calls++)
    assert.deepEqual([calls, 'body' in req, req.body], [1, true, undefined])
  })
})
