'use strict'

const assert = require('node:assert/strict')
const { PassThrough } = require('node:stream')
const { describe, it } = require('mocha')
const parsers = require('../../../tools/bare')

function parse (kind, ...chunks) {
  return new Promise((resolve, reject) => {
    const req = new PassThrough()
    parsers[kind]({})(req, {}, (error) => error ? reject(error) : resolve(req.body))
    for (const chunk of chunks) req.write(chunk)
    req.end()
  })
}

describe('tools/bare', () => {
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
