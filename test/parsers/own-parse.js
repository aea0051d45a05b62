'use strict'

const assert = require('node:assert/strict')
const { Readable } = require('node:stream')
const { mock } = require('node:test')
const { setTimeout: delay } = require('node:timers/promises')
const { createStorage } = require('../support/async-storage')
const exchange = require('../support/exchange')
const { fails, succeeds, waysInTurn } = require('../support/lane')
const { typed } = require('../support/outcome')
const parseContent = require('../support/parse-content')
const { nextUncaught } = require('../support/uncaught')
const { createParser, json, urlencoded } = require('fast-body-parser')

const TYPE = 'application/x'
const JSON_TYPE = 'application/json'
const FORM_TYPE = 'application/x-www-form-urlencoded'

const createOwn = (options) => createParser({ type: TYPE, ...options })
const createOfBytes = (options) => createOwn({ charset: false, ...options })

// The factories with an option `parse`, and what each hands to it.
const factories = {
  json: { make: json, type: JSON_TYPE, body: '{"a":1}', context: { charset: 'utf-8', reviver: undefined } },
  urlencoded: { make: urlencoded, type: FORM_TYPE, body: 'a=1', context: { charset: 'utf-8' } },
  createParser: { make: createOwn, type: TYPE, body: 'any "text"', context: { charset: 'utf-8' } },
  'createParser, bytes': { make: createOfBytes, type: TYPE, body: Buffer.from('bytes'), context: { charset: null } }
}

const failed = (fields) => Object.assign(new Error('no'), fields)

/** How `parse` may fail with such an error. */
const failures = {
  'a throw': (error) => { throw error },
  'a promise': async (error) => { throw error },
  'a later promise': (error) => delay(1).then(() => { throw error })
}

const PLAIN = { status: 400, type: 'entity.parse.failed' }

// [what is thrown, how to make it, the fields of the error that next gets]; more in test/core/errors.js
const errors = [
  ['an error', () => failed(), { ...PLAIN, message: 'no', constructor: Error, expose: true }],
  ['an error with both', () => failed({ status: 503, type: 'own' }), { status: 503, type: 'own', expose: false }],
  ['a plain object', () => ({ type: 'own' }), { status: 400, type: 'own' }],
  ...['no', undefined, null, 7, Symbol('s'), () => {}].map((value) =>
    [`${typeof value} ${String(value)}`, () => value, PLAIN])
]

for (const [name, { make, type, body, context: expected }] of Object.entries(factories)) {
  describe(`option parse of ${name}`, () => {
    it('may return its result as it is, or as a promise', async () => {
      await succeeds(make({ parse: (content) => ({ content }) }), type, body, { content: body })
      await succeeds(make({ parse: async (content) => ({ content }) }), type, body, { content: body })
    })

    it('passes its error to next', async () => {
      for (const fail of Object.values(failures)) {
        await fails(make({ parse: () => fail(failed({ status: 422, type: 'own' })) }), type, body,
          { status: 422, type: 'own', message: 'no' }, body)
      }
    })

    it('is called once, with the content, its charset and the request', async () => {
      for (const [, message] of waysInTurn(type, body)) {
        const calls = []
        let request
        const middleware = make({ parse: (...args) => calls.push(args) && 'value' })
        await exchange((req, res, next) => {
          request = req
          middleware(req, res, next)
        }, message)
        const [[given, { req, signal, ...context }, ...rest], ...others] = calls
        assert.deepEqual([given, context, rest, others], [body, expected, [], []])
        assert.equal(req, request)
        assert.equal(signal.aborted, false)
      }
    })

    it('throws a TypeError for a parse that is not a function', () => {
      for (const parse of [1, 'text', true, {}, '', Symbol('s')]) {
        assert.throws(() => make({ parse }), { name: 'TypeError', message: 'option parse must be a function' })
      }
    })
  })
}

describe('option parse', () => {
  const parsed = (options) => parseContent(createOwn(options), TYPE, 'text')

  it('may return any value, or a promise of it', async () => {
    for (const value of [undefined, null, 0, '', false, 'text', () => {}, { then: 1 }]) {
      assert.equal(await parsed({ parse: () => value }), value)
      assert.equal(await parsed({ parse: async () => value }), value)
    }
  })

  for (const [how, fail] of Object.entries(failures)) {
    it(`passes on whatever it throws, from ${how}`, async () => {
      for (const [what, make, expected] of errors) {
        const error = await parsed({ parse: () => fail(make()) }).then(() => assert.fail(what), (error) => error)
        for (const [field, value] of Object.entries({ ...expected, body: 'text' })) {
          assert.deepEqual(error[field], value, `${field} of ${what}`)
        }
      }
    })
  }

  it('runs in the async context of the middleware, and so does next', async () => {
    const storage = createStorage()
    for (const parse of [
      () => storage.getStore(),
      () => ({ then: (resolve) => setImmediate(resolve, storage.getStore()) }),
      () => { throw failed() },
      () => delay(1).then(() => { throw failed() })
    ]) {
      for (const [way, message] of waysInTurn(TYPE, 'text')) {
        const middleware = createOwn({ parse })
        let inNext
        const seen = await exchange((req, res, next) => storage.run(way, () => middleware(req, res, (error) => {
          inNext = storage.getStore()
          next(error)
        })), message)
        assert.equal(inNext, way)
        if (seen.error === 'none') assert.deepEqual(seen.body, typed(way))
      }
    }
  })

  it('does not catch what next throws', async () => {
    for (const parse of [() => 1, async () => 1]) {
      const thrown = nextUncaught()
      const next = mock.fn(() => { throw new Error('from next') })
      const headers = { 'content-type': TYPE, 'content-length': '1' }
      createOwn({ parse })(Object.assign(Readable.from([Buffer.from('x')]), { headers }), {}, next)
      assert.deepEqual([(await thrown).message, next.mock.callCount()], ['from next', 1])
    }
  })

  it('is called after verify, unless that refuses the body', async () => {
    for (const wait of [(value) => value, async (value) => value, (value) => delay(1, value)]) {
      const order = []
      const verify = (req, res, bytes) => wait(order.push(`verify ${bytes}`))
      assert.equal(await parsed({ verify, parse: (content) => order.push('parse') && content }), 'text')
      assert.deepEqual(order, ['verify text', 'parse'])
    }
    for (const fail of Object.values(failures)) {
      await assert.rejects(parsed({ verify: () => fail(failed()), parse: () => assert.fail('called') }),
        { status: 403, type: 'entity.verify.failed' })
    }
  })
})

const unused = () => assert.fail('called')
const asList = (text) => [text]

describe('json({ parse })', () => {
  const gives = async (options, content, expected, type = JSON_TYPE) =>
    assert.deepEqual(await parseContent(json(options), type, content), expected)

  it('is not called for an empty body, which becomes {}, nor for a text that strict refuses', async () => {
    for (const strict of [true, false]) await gives({ parse: unused, strict }, '', {})
    for (const text of ['5', '"{}"', 'nope', ' // {}']) {
      await assert.rejects(parseContent(json({ parse: unused }), JSON_TYPE, text),
        { ...PLAIN, name: 'SyntaxError', body: text })
    }
  })

  it('is called for any other body, although it is not JSON', async () => {
    for (const text of ['5', ' ', 'nope', '{']) await gives({ parse: asList, strict: false }, text, [text])
    for (const text of ['{a:', ' \n[', '  ']) await gives({ parse: asList }, text, [text])
  })

  it('gets the reviver, which is not applied to its result', async () => {
    const reviver = (name, value) => name === 'a' ? value + 1 : value
    await gives({ reviver, parse: (text) => JSON.parse(text) }, '{"a":1}', { a: 1 })
    await gives({ reviver, parse: (text, context) => JSON.parse(text, context.reviver) }, '{"a":1}', { a: 2 })
  })

  it('gets the decoded text without its byte order mark', async () => {
    const parse = (text, { charset }) => [text, charset]
    const body = '{"name":"論 é"}'
    await gives({ parse }, `\ufeff${body}`, [body, 'utf-8'])
    await gives({ parse }, Buffer.from(`\ufeff${body}`, 'utf16le'), [body, 'utf-16le'],
      `${JSON_TYPE}; charset=UTF-16LE`)
  })

  it('keeps the fields of its error, unlike a reviver', async () => {
    const parser = json({ parse () { throw failed({ extra: 1, status: 409 }) } })
    await assert.rejects(parseContent(parser, JSON_TYPE, '{}'), { status: 409, extra: 1, body: '{}' })
  })
})

describe('urlencoded({ parse })', () => {
  const gives = async (options, content, expected, type = FORM_TYPE) =>
    assert.deepEqual(await parseContent(urlencoded(options), type, content), expected)

  it('is not called for an empty form, nor for one of more parameters than parameterLimit', async () => {
    const form = 'a=1&b=2&c=3'
    await gives({ parse: unused }, '', {})
    await assert.rejects(parseContent(urlencoded({ parse: unused, parameterLimit: 2 }), FORM_TYPE, form),
      { status: 413, type: 'parameters.too.many', body: form })
    await gives({ parse: asList, parameterLimit: 3 }, form, [form])
  })

  it('gets the charset of the form, or the default', async () => {
    const options = { defaultCharset: 'iso-8859-1', parse: (text, { charset }) => [text, charset] }
    const form = Buffer.from('a=\xe9', 'latin1')
    await gives(options, form, ['a=é', 'iso-8859-1'])
    await gives(options, 'a=é', ['a=é', 'utf-8'], `${FORM_TYPE}; charset=UTF-8`)
  })

  it('gets the form as it was sent, extended or not', async () => {
    for (const extended of [true, false]) {
      for (const text of ['a[b]=1&a[b]=2', '%41=+&&=', 'toString=1&__proto__=2', 'utf8=%E2%9C%93&a=%26%2365;']) {
        await gives({ extended, parse: asList }, text, [text])
      }
    }
  })
})
