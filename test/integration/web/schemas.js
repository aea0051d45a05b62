'use strict'

// Schemas of the libraries that implement Standard Schema.

const assert = require('node:assert/strict')
const bodyParser = require('../../..')
const web = require('../../../lib/web')

const libraries = {
  zod: async () => {
    const { z } = await import('zod')
    return z.object({ name: z.string(), age: z.number().default(5) })
  },
  valibot: async () => {
    const v = await import('valibot')
    return v.object({ name: v.string(), age: v.optional(v.number(), 5) })
  },
  arktype: async () => {
    const { type } = await import('arktype')
    return type({ name: 'string', age: 'number = 5' })
  }
}

for (const [name, load] of Object.entries(libraries)) {
  describe(`schema of ${name}`, () => {
    let options

    before(async () => {
      options = { schema: await load() }
    })

    const ways = {
      middleware: (body) => new Promise((resolve, reject) => {
        const req = { headers: { 'content-type': 'application/json' }, body }
        bodyParser.json({ ...options, buffered: true })(req, {}, (error) => error ? reject(error) : resolve(req.body))
      }),
      web: (body) =>
        web.json(options)(new Request('http://localhost/', {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body
        }))
    }
    for (const [way, parse] of Object.entries(ways)) {
      it(`gives the value, ${way}`, async () => {
        assert.deepEqual(await parse('{"name":"tobi"}'), { name: 'tobi', age: 5 })
      })

      it(`gives the issues, ${way}`, async () => {
        await assert.rejects(parse('{"name":5}'), ({ status, type, issues: [{ message, path: [step] }] }) => {
          assert.deepEqual([status, type, typeof message, step.key ?? step], [422, 'entity.invalid', 'string', 'name'])
          return true
        })
      })
    }

    it('gives issues that problemDetails can point at', async () => {
      const answerWithProblem = bodyParser.problemDetails() // before the error is created
      const error = await ways.middleware('{"name":5}').catch((error) => error)
      let answer
      answerWithProblem(error, {}, { removeHeader () {}, setHeader () {}, end (text) { answer = JSON.parse(text) } },
        assert.fail)
      assert.deepEqual(answer.errors.map(({ pointer }) => pointer), ['#/name'])
    })
  })
}
