'use strict'

const assert = require('node:assert/strict')
const { setImmediate: turn } = require('node:timers/promises')
const { z } = require('zod')
const bodyParser = require('fast-body-parser')
const exchange = require('../support/exchange')
const { outcomeOfAll } = require('../support/lane')
const { messageOf } = require('../support/lanes')
const { typed } = require('../support/outcome')
const { nextUncaught } = require('../support/uncaught')
const schemaOf = require('../support/schema-of')

const { json, raw, text, urlencoded } = bodyParser
const HEADERS = { 'Content-Type': 'application/json' }

/** A schema without a library. */
const send = (parser, request) => exchange(parser, messageOf(request))

describe('schema', () => {
  const User = z.object({ name: z.string().trim(), age: z.number().default(5) })

  for (const [how, schema] of [['', User], [', asynchronous', User.refine(async () => true)]]) {
    it(`gives the value of the schema${how}`, async () => {
      const { error, body } = await outcomeOfAll(json({ schema }), 'application/json',
        '{"name":" Tobi ","role":"admin"}')
      assert.deepEqual([error, body], ['none', typed({ name: 'Tobi', age: 5 })])
    })

    it(`refuses with the issues of the schema${how}`, async () => {
      const { error } = await outcomeOfAll(json({ schema }), 'application/json', '{"name":5}')
      assert.deepEqual([error.status, error.statusCode, error.type, error.message, error.expose, error.constructor],
        [422, 422, 'entity.invalid', 'request entity invalid: name: Invalid input: expected string, received number',
          true, 'UnprocessableEntityError'])
      let seen
      await exchange((req, res, next) => json({ schema })(req, res, (error) => { seen = error; next(error) }),
        messageOf({ headers: HEADERS, body: '{"name":5}' }))
      assert.deepEqual(seen.issues.map(({ path }) => path), [['name']])
    })
  }

  for (const [what, issues, message] of [
    ['the first issue', [{ message: 'one', path: ['a', { key: 'b' }, 0] }, { message: 'two' }], ': a.b.0: one'],
    ['an issue whose path has no names', [{ message: 'one', path: [null, undefined, 'a'] }], ': null.undefined.a: one'],
    ['an issue of the whole body', [{ message: 'one' }], ': one'],
    ['what the message names itself', [{ message: 'a must be a string', path: ['a'] }], ': a must be a string'],
    ['the place of an issue that begins like it', [{ message: 'a string is missing', path: ['a'] }],
      ': a: a string is missing'],
    ['the beginning of a long issue', [{ message: 'x'.repeat(1e6) }], `: ${'x'.repeat(300)}...`],
    ['an issue in one line', [{ message: 'a must be\n  - one\r\n  - two\u001B' }], ': a must be - one - two\\u001b'],
    ['nothing of issues that are none', [], ''],
    ['nothing of a path that has no string', [{ message: 'one', path: [Object.create(null)] }], '']
  ]) {
    it(`names ${what} in the message`, async () => {
      const { error } = await send(json({ schema: schemaOf(() => ({ issues })) }), { headers: HEADERS, body: '{}' })
      assert.deepEqual([error.status, error.message], [422, `request entity invalid${message}`])
    })
  }

  for (const [name, parser, type, body, value] of [
    ['raw', raw, 'application/octet-stream', 'abc', 3],
    ['createParser', (options) => bodyParser.createParser({ type: 'a/b', parse: async (text) => text, ...options }),
      'a/b', 'abc', 3]
  ]) {
    it(`checks bodies of ${name}, too`, async () => {
      const schema = schemaOf(({ length }) => ({ value: length }))
      assert.deepEqual((await outcomeOfAll(parser({ schema }), type, body)).body, typed(value))
    })
  }

  for (const [what, options, request, status] of [
    ['an error of the reading', { limit: 1 }, { headers: HEADERS, body: '[1]' }, 413],
    ['an error of verify', { verify () { throw new Error('no') } }, { headers: HEADERS, body: '{}' }, 403]
  ]) {
    it(`does not see ${what}`, async () => {
      let calls = 0
      const { error } = await send(json({ ...options, schema: schemaOf(() => { calls++ }) }), request)
      assert.deepEqual([error.status, calls], [status, 0])
    })
  }

  // A handler behind the parser relies on the schema, so nothing gets past it.
  for (const [what, request, before, body] of [
    ['a request without content', {}, undefined, undefined],
    ['a body that another parser has read', { headers: HEADERS, body: '{"name":5}' }, json(), { name: 5 }],
    ['a form in the place of JSON',
      { headers: { 'Content-Type': 'application/x-www-form-urlencoded' }, body: 'name=x' }, urlencoded(), { name: 'x' }]
  ]) {
    it(`sees ${what}`, async () => {
      const seen = []
      const parser = json({ schema: schemaOf((value) => { seen.push(value); return { issues: [{ message: 'no' }] } }) })
      const { error, next } = await send((req, res,
        next) => before === undefined ? parser(req, res, next) : before(req, res, () => parser(req, res, next)),
      request)
      assert.deepEqual([error.status, error.type, next], [422, 'entity.invalid', 1])
      assert.deepEqual(seen.map(typed), [typed(body)])
    })
  }

  it('refuses an unread body of another type with the 415 of refuseUnparsed', async () => {
    const parser = json({ schema: schemaOf(() => assert.fail()) })
    const { error, next } = await send(parser, { headers: { 'Content-Type': 'text/plain' }, body: 'x' })
    assert.deepEqual([error.status, error.type, error.message, next],
      [415, 'media.type.unsupported', 'unsupported media type "text/plain"', 1])
  })

  it('sees what empty gives', async () => {
    const schema = z.object({ page: z.number().default(1) })
    assert.deepEqual((await send(json({ empty: {}, schema }), {})).body, typed({ page: 1 }))
    assert.equal((await send(json({ schema }), {})).error.status, 422)
    assert.deepEqual((await send(json({ schema: schema.optional() }), {})).body, typed(undefined))
  })

  for (const [how, validate] of [['throws', () => { throw new Error('broken') }],
    ['is rejected with', async () => { throw new Error('broken') }]]) {
    it(`reports what it ${how} as it is`, async () => {
      const { error, next } = await send(json({ schema: schemaOf(validate) }), { headers: HEADERS, body: '{}' })
      assert.deepEqual([error.message, error.status, next], ['broken', undefined, 1])
    })
  }

  // next() would go on, with a body that no schema has seen.
  for (const value of [undefined, null, 'route', Symbol('no')]) {
    it(`makes an error of ${String(value) || "''"}, if that is thrown`, async () => {
      for (const validate of [() => { throw value }, async () => { throw value }]) {
        const seen = []
        await exchange((req, res,
          next) => json({ schema: schemaOf(validate) })(req, res, (...args) => { seen.push(...args); next() }),
        messageOf({ headers: HEADERS, body: '{}' }))
        assert.deepEqual(seen.map((error) => [error instanceof Error, error.status, error.expose]),
          [[true, 500, false]])
      }
    })
  }

  it('reports that req.body cannot be set', async () => {
    const lock = (req) => Object.defineProperty(req, 'body',
      { get: () => undefined, set () { throw new Error('locked') } })
    const { error, next } = await send((req, res,
      next) => json({ schema: schemaOf((value) => ({ value })) })(lock(req), res, next), {})
    assert.deepEqual([error.message, next], ['locked', 1])
  })

  it('leaves req.body alone once next has got an error', async () => {
    let settle
    const schema = schemaOf(() => new Promise((resolve) => { settle = resolve }))
    const { error, body } = await send((req, res, next) => json({ schema, timeout: 20 })(req, res, async (error) => {
      req.body = 'of the app'
      settle({ value: 'of the schema' })
      await turn()
      next(error)
    }), { headers: HEADERS, body: '{}' })
    assert.deepEqual([error.type, body], ['request.timeout', typed('of the app')])
  })

  it('leaves what next throws to the app', async () => {
    const uncaught = nextUncaught()
    json({ schema: User.optional() })({ headers: {}, complete: false, socket: { readable: true } }, {}, () => {
      throw new Error('of the app')
    })
    assert.equal((await uncaught).message, 'of the app')
  })

  it('may be a function with a property, as those of arktype are', async () => {
    const schema = Object.assign(() => {}, schemaOf((value) => ({ value: [value] })))
    assert.deepEqual((await send(json({ schema }), { headers: HEADERS, body: '1', ...{} })).error.status, 400)
    assert.deepEqual((await send(json({ schema, strict: false }), { headers: HEADERS, body: '1' })).body, typed([1]))
  })

  it('is called on its own object', async () => {
    class Standard {
      version = 1
      vendor = 'test'
      validate (value) { return { value: [this.vendor, value] } }
    }
    assert.deepEqual((await send(json({ schema: { '~standard': new Standard() } }),
      { headers: HEADERS, body: '{}' })).body, typed(['test', {}]))
  })

  for (const schema of [true, 5, 'schema', {}, { parse () {} }, () => {}, { '~standard': {} }]) {
    it(`is not ${typeof schema} ${JSON.stringify(schema) ?? ''}`, () => {
      for (const parser of [json, raw, text, urlencoded]) {
        assert.throws(() => parser({ schema }),
          {
            name: 'TypeError',
            message: 'option schema must be a Standard Schema, as zod, valibot and arktype make them'
          })
      }
    })
  }

  it('makes no wrapper if it is undefined or null', () => {
    for (const schema of [undefined, null]) assert.equal(json({ schema }).toString(), json().toString())
    assert.deepEqual([json({ schema: User }).name, json({ schema: User }).length], ['jsonParser', 3])
  })
})
