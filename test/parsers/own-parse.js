'use strict'

const assert = require('node:assert/strict')
const { setTimeout: delay } = require('node:timers/promises')
const { createStorage } = require('../support/async-storage')
const exchange = require('../support/exchange')
const { fails, succeeds, waysInTurn } = require('../support/lane')
const { messageOf } = require('../support/lanes')
const { typed } = require('../support/outcome')
const parseContent = require('../support/parse-content')
const { nextUncaught } = require('../support/uncaught')
const { createParser, json, urlencoded } = require('fast-body-parser')

// The factories with an option `parse`, and a body that each hands to it.
const factories = {
  json: { make: json, type: 'application/json', body: '{"a":1}' },
  urlencoded: { make: urlencoded, type: 'application/x-www-form-urlencoded', body: 'a=1&b=2' },
  createParser: {
    make: (options) => createParser({ type: 'application/x', ...options }),
    type: 'application/x',
    body: 'any "text"'
  },
  'createParser, bytes': {
    make: (options) => createParser({ type: 'application/x', charset: false, ...options }),
    type: 'application/x',
    body: 'bytes'
  }
}
/** How `parse` may return a value, or fail. */
const results = {
  'it is': (value) => value,
  'a promise': async (value) => value,
  'a later promise': (value) => delay(1, value),
  'a thenable': (value) => ({ then: (resolve) => resolve(value) })
}
const failures = {
  'a throw': (error) => { throw error },
  'a promise': async (error) => { throw error },
  'a later promise': (error) => delay(1).then(() => { throw error }),
  'a thenable': (error) => ({ then: (resolve, reject) => reject(error) })
}

const failed = (fields) => Object.assign(new Error('no'), fields)

// [what is thrown, how to make it, the fields of the error that next gets]
const PLAIN = { status: 400, type: 'entity.parse.failed' }
const errors = [
  ['an error', () => failed(), { ...PLAIN, message: 'no', constructor: Error, expose: true }],
  ['an error with a status', () => failed({ status: 422 }), { ...PLAIN, status: 422, message: 'no' }],
  ['an error with a statusCode', () => failed({ statusCode: 415 }), { ...PLAIN, status: 415, message: 'no' }],
  ['an error with a type', () => failed({ type: 'own' }), { status: 400, type: 'own', message: 'no' }],
  ['an error with both', () => failed({ status: 503, type: 'own' }), { status: 503, type: 'own', expose: false }],
  ['a plain object', () => ({ type: 'own' }), { status: 400, type: 'own' }],
  ['a string', () => 'no', { ...PLAIN, message: 'no' }],
  ...['', undefined, null, 7, NaN, true, false, 5n, Symbol('s'), () => {}].map((value) =>
    [`${typeof value} ${String(value)}`, () => value, PLAIN])
]

for (const [name, { make, type, body }] of Object.entries(factories)) {
  describe(`option parse of ${name}`, () => {
    const content = name.endsWith('bytes') ? Buffer.from(body) : body
    const parsed = (options, contentType = type) => parseContent(make(options), contentType, body)

    for (const [how, give] of Object.entries(results)) {
      it(`may return its result as ${how}`, async () => {
        await succeeds(make({ parse: (content) => give({ content }) }), type, body, { content })
      })
    }

    it('may return any value, or a promise of it', async () => {
      for (const value of [undefined, null, 0, '', false, 'text', () => {}, { then: 1 }]) {
        assert.equal(await parsed({ parse: () => value }), value)
        assert.equal(await parsed({ parse: async () => value }), value)
      }
    })

    for (const [how, fail] of Object.entries(failures)) {
      it(`passes its error to next, from ${how}`, () =>
        fails(make({ parse: () => fail(failed({ status: 422, type: 'own' })) }), type, body,
          { status: 422, type: 'own', message: 'no' }, content))

      it(`passes on whatever it throws, from ${how}`, async () => {
        for (const [what, make, expected] of errors) {
          const error = await parsed({ parse: () => fail(make()) }).then(() => assert.fail(what), (error) => error)
          for (const [field, value] of Object.entries({ ...expected, body: content })) {
            assert.deepEqual(error[field], value, `${field} of ${what}`)
          }
        }
      })
    }

    it('is called once, with the content, its charset and the request', async () => {
      for (const [, message] of waysInTurn(type, body)) {
        const calls = []
        let request
        const middleware = make({ parse: (...args) => calls.push(args) && 'value' })
        await exchange((req, res, next) => {
          request = req
          middleware(req, res, next)
        }, message)
        assert.equal(calls.length, 1)
        const [given, { req, signal, ...context }, ...rest] = calls[0]
        assert.deepEqual(given, content)
        assert.equal(req, request)
        assert.equal(signal.aborted, false)
        assert.deepEqual(context,
          { charset: content === body ? 'utf-8' : null, ...(name === 'json' ? { reviver: undefined } : {}) })
        assert.deepEqual(rest, [])
      }
    })

    it('runs in the async context of the middleware, and so does next', async () => {
      const storage = createStorage()
      for (const parse of [() => storage.getStore(), async () => storage.getStore(),
        () => delay(1).then(() => storage.getStore()),
        () => ({ then: (resolve) => setImmediate(resolve, storage.getStore()) }),
        () => { throw failed() }, () => delay(1).then(() => { throw failed() })]) {
        for (const [way, message] of waysInTurn(type, body)) {
          const middleware = make({ parse })
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
      for (const parse of [() => 1, async () => 1, async () => { throw failed() }]) {
        const thrown = nextUncaught()
        const middleware = make({ parse })
        const { next } = await exchange((req, res, next) => middleware(req, res, () => {
          next()
          throw new Error('from next')
        }), messageOf({ headers: { 'Content-Type': type }, body }))
        assert.deepEqual([(await thrown).message, next], ['from next', 1])
      }
    })

    it('is called after verify', async () => {
      for (const wait of [(value) => value, async (value) => value, (value) => delay(1, value)]) {
        for (const parse of [(content) => ({ content }), async (content) => ({ content })]) {
          const order = []
          const options = {
            verify: (req, res, bytes) => wait(order.push(`verify ${bytes}`)),
            parse: (content) => order.push('parse') && parse(content)
          }
          assert.deepEqual(await parsed(options), { content })
          assert.deepEqual(order, [`verify ${body}`, 'parse'])
        }
      }
    })

    it('is not called for a body that verify refuses', async () => {
      const parse = () => assert.fail('called')
      for (const verify of [() => { throw failed() }, async () => { throw failed() }]) {
        await fails(make({ verify, parse }), type, body, { status: 403, type: 'entity.verify.failed' },
          Buffer.from(body))
      }
    })

    it('is not called for a body over the limit or of another type, nor without a body', async () => {
      const parse = () => assert.fail('called')
      await assert.rejects(parsed({ parse, limit: 3 }), { type: 'entity.too.large' })
      assert.equal(await parsed({ parse }, 'text/other'), undefined)
      const none = await exchange(make({ parse }), messageOf({ headers: { 'Content-Type': type } }))
      assert.deepEqual([none.error, none.body, none.hasBody], ['none', 'undefined', true])
    })

    it('throws a TypeError for a parse that is not a function', () => {
      for (const parse of [1, 'text', true, false, {}, [], 0, '', Symbol('s')]) {
        assert.throws(() => make({ parse }), { name: 'TypeError', message: 'option parse must be a function' })
      }
    })
  })
}

const unused = () => assert.fail('called')

describe('json({ parse })', () => {
  const TYPE = 'application/json'
  const gives = async (options, content, expected, type = TYPE) =>
    assert.deepEqual(await parseContent(json(options), type, content), expected)

  it('is not called for an empty body, which becomes {}', async () => {
    for (const strict of [true, false]) await gives({ parse: unused, strict }, '', {})
  })

  it('is not called for a text that strict refuses', async () => {
    for (const text of ['5', 'null', '"{}"', 'nope', ' // {}']) {
      await assert.rejects(parseContent(json({ parse: unused }), TYPE, text),
        { ...PLAIN, name: 'SyntaxError', body: text })
    }
  })

  it('is called for any other body with strict: false', async () => {
    for (const text of ['5', ' ', 'nope', '{', '{}']) {
      await gives({ parse: (text) => [text], strict: false }, text, [text])
    }
  })

  it('is called for a text that begins like JSON, although it is not', async () => {
    for (const text of ['{a:', ' \n[', '  ']) await gives({ parse: (text) => [text] }, text, [text])
  })

  it('gets the reviver, which is not applied to its result', async () => {
    const reviver = (name, value) => name === 'a' ? value + 1 : value
    await gives({ reviver, parse: (text) => JSON.parse(text) }, '{"a":1}', { a: 1 })
    await gives({ reviver, parse: (text, context) => JSON.parse(text, context.reviver) }, '{"a":1}', { a: 2 })
  })

  it('gets the decoded text without its byte order mark', async () => {
    const parse = (text, { charset }) => [text, charset]
    const body = '{"name":"論 é"}'
    const utf16 = Buffer.from(`\ufeff${body}`, 'utf16le')
    await gives({ parse }, `\ufeff${body}`, [body, 'utf-8'])
    await gives({ parse }, utf16, [body, 'utf-16le'], `${TYPE}; charset=UTF-16LE`)
    await gives({ parse, defaultCharset: 'utf-16' }, utf16, [body, 'utf-16'])
  })

  it('keeps the fields of its error, unlike a reviver', async () => {
    const parser = json({ parse () { throw failed({ extra: 1, status: 409 }) } })
    await assert.rejects(parseContent(parser, TYPE, '{}'), { status: 409, extra: 1, body: '{}' })
  })
})

describe('urlencoded({ parse })', () => {
  const TYPE = 'application/x-www-form-urlencoded'
  const gives = async (options, content, expected, type = TYPE) =>
    assert.deepEqual(await parseContent(urlencoded(options), type, content), expected)

  it('is not called for an empty form, which becomes {}', () => gives({ parse: unused }, '', {}))

  it('is not called for a form of more parameters than parameterLimit', async () => {
    const form = 'a=1&b=2&c=3'
    await assert.rejects(parseContent(urlencoded({ parse: unused, parameterLimit: 2 }), TYPE, form),
      { status: 413, type: 'parameters.too.many', body: form })
    await gives({ parse: (text) => [text], parameterLimit: 3 }, form, [form])
  })

  it('gets the form as it was sent, extended or not', async () => {
    for (const extended of [true, false, undefined]) {
      for (const text of ['a[b]=1&a[b]=2', '%41=+&&=', '&', 'toString=1&__proto__=2', 'utf8=%E2%9C%93&a=%26%2365;']) {
        await gives({ extended, parse: (text) => [text] }, text, [text])
      }
    }
  })

  it('gets the charset of the form', async () => {
    const parse = (text, { charset }) => [text, charset]
    const form = Buffer.from('a=\xe9', 'latin1')
    await gives({ parse }, form, ['a=é', 'iso-8859-1'], `${TYPE}; charset=ISO-8859-1`)
    await gives({ parse, defaultCharset: 'iso-8859-1' }, form, ['a=é', 'iso-8859-1'])
  })
})
