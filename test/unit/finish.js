'use strict'

const assert = require('node:assert/strict')
const createFinish = require('../../lib/finish')

function finish (stages, property) {
  const req = Object.defineProperty({}, property, { get () {} })
  return new Promise((resolve) => {
    createFinish({ parse: String, mayWait: false, rawBody: false, ...stages })({ req, res: {}, next: (...args) => resolve(args), charset: 'utf-8', decode: String }, Buffer.from('text'))
  })
}

describe('finish', () => {
  const rows = [
    ['body', 'a parser', {}, 'text'],
    ['body', "a parser of the app's own", { mayWait: true }, 'text'],
    ['body', 'one that returns a promise', { mayWait: true, parse: async () => 1 }, 'text'],
    ['rawBody', 'who keeps the bytes', { rawBody: true }, Buffer.from('text')]
  ]
  for (const [property, who, stages, content] of rows) {
    it(`tells ${who} of a req.${property} that cannot be set`, async () => {
      const [error, ...more] = await finish(stages, property)
      assert.ok(error instanceof TypeError)
      assert.deepEqual([error.status, error.type, error.body, more], [400, 'entity.parse.failed', content, []])
    })
  }
})
