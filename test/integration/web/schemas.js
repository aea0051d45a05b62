'use strict'

// Schemas of the libraries that implement Standard Schema.

const assert = require('node:assert/strict')
const { json, problemDetails } = require('../../..')

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
  it(`a schema of ${name} gives the value, or issues that problemDetails can point at`, async () => {
    const { read } = json({ schema: await load(), buffered: true })
    const parse = (body) => read({ headers: { 'content-type': 'application/json' }, body }, {})
    assert.deepEqual(await parse('{"name":"tobi"}'), { name: 'tobi', age: 5 })
    const answerWithProblem = problemDetails() // before the error is created
    const error = await parse('{"name":5}').catch((error) => error)
    assert.deepEqual([error.status, error.type, typeof error.issues[0].message], [422, 'entity.invalid', 'string'])
    let answer
    answerWithProblem(error, {}, { removeHeader () {}, setHeader () {}, end (text) { answer = JSON.parse(text) } },
      assert.fail)
    assert.deepEqual(answer.errors.map(({ pointer }) => pointer), ['#/name'])
  })
}
