'use strict'

const assert = require('node:assert/strict')
const { AsyncLocalStorage } = require('node:async_hooks')
const { spawnSync } = require('node:child_process')
const path = require('node:path')
const { setTimeout: delay } = require('node:timers/promises')
const exchange = require('../support/exchange')
const { everyWay, outcomeOfAll } = require('../support/lane')
const { typed } = require('../support/outcome')
const { createParser, json, raw, text, urlencoded } = require('fast-body-parser')

// The three factories that take a `parse`, and a body that each hands to it.
const factories = {
  json: { make: json, type: 'application/json', body: '{"a":1}' },
  urlencoded: { make: urlencoded, type: 'application/x-www-form-urlencoded', body: 'a=1&b=2' },
  createParser: { make: (options) => createParser({ type: 'application/x', ...options }), type: 'application/x', body: 'any "text"' },
  'createParser, bytes': { make: (options) => createParser({ type: 'application/x', charset: false, ...options }), type: 'application/x', body: 'bytes' }
}
const isBytes = (name) => name.endsWith('bytes')

/** How a parser may give what it has, or throw it. */
const gives = {
  'at once': (value) => value,
  'a promise': async (value) => value,
  'a later promise': (value) => delay(1, value),
  'a thenable': (value) => ({ then: (resolve) => resolve(value) }),
  'a thenable that settles again': (value) => ({ then (resolve, reject) { resolve(value); resolve(0); reject(new Error('no')); throw new Error('no') } }),
  'a promise with a then of its own': (value) => Object.assign(Promise.resolve(0), { then (resolve) { resolve(value); resolve(0) } }),
  'a promise of a promise': (value) => ({ then: (resolve) => resolve(Promise.resolve(value)) })
}
const throws = {
  'at once': (error) => { throw error },
  'a promise': async (error) => { throw error },
  'a later promise': (error) => delay(1).then(() => { throw error }),
  'a thenable': (error) => ({ then: (resolve, reject) => reject(error) }),
  'a thenable that settles again': (error) => ({ then (resolve, reject) { reject(error); resolve(0); throw new Error('again') } }),
  'a then that throws': (error) => ({ then () { throw error } }),
  'a then that cannot be read': (error) => ({ get then () { throw error } }),
  'a promise whose then throws': (error) => Object.assign(Promise.resolve(0), { then () { throw error } }),
  'a promise whose constructor cannot be read': (error) => Object.defineProperty(Promise.resolve(0), 'constructor', { get () { throw error } })
}

const failed = (fields) => Object.assign(new Error('no'), fields)
const thorny = () => Object.defineProperties(new Error('no'), { type: { get () { throw new Error('thorn') } }, status: { get () { throw new Error('thorn') } } })
const revoked = () => { const { proxy, revoke } = Proxy.revocable({}, {}); revoke(); return proxy }

// What is thrown, and what of it shows.
const PLAIN = { status: 400, type: 'entity.parse.failed' }
const errors = [
  ['an error', () => failed(), { ...PLAIN, message: 'no', constructor: 'Error', expose: true }],
  ['an error with a status', () => failed({ status: 422 }), { status: 422, type: 'entity.parse.failed', message: 'no' }],
  ['an error with a statusCode', () => failed({ statusCode: 415 }), { status: 415, type: 'entity.parse.failed', message: 'no' }],
  ['an error with a type', () => failed({ type: 'own' }), { status: 400, type: 'own', message: 'no' }],
  ['an error with both', () => failed({ status: 503, type: 'own' }), { status: 503, type: 'own', expose: false }],
  ['a frozen error', () => Object.freeze(failed()), PLAIN],
  ['an error with thorns', thorny, PLAIN],
  ['a plain object', () => ({ type: 'own' }), { status: 400, type: 'own' }],
  ['a revoked proxy', revoked, PLAIN],
  ['a string', () => 'no', { ...PLAIN, message: 'no' }],
  ['an empty string', () => '', PLAIN],
  ...[undefined, null, 0, 7, NaN, true, false, 5n, Symbol('s')].map((value) => [`${typeof value} ${String(value)}`, () => value, PLAIN]),
  ['a function', () => () => {}, PLAIN]
]

function contentOf (name, body) {
  return isBytes(name) ? Buffer.from(body) : body
}

async function fails (middleware, type, body, expected, content) {
  const seen = await outcomeOfAll(middleware, type, body)
  for (const [field, value] of Object.entries(expected)) assert.equal(seen.error[field], value, field)
  assert.deepEqual([seen.body, seen.hasBody], ['undefined', true])
  assert.deepEqual(seen.error.own.body.value, typed(content))
}

async function succeeds (middleware, type, body, expected) {
  const seen = await outcomeOfAll(middleware, type, body)
  assert.equal(seen.error, 'none')
  assert.deepEqual(seen.body, typed(expected))
}

for (const [name, { make, type, body }] of Object.entries(factories)) {
  describe(`parse of ${name}`, () => {
    const content = contentOf(name, body)
    const ONE = Object.values(everyWay(type, body))[0]

    for (const [how, give] of Object.entries(gives)) {
      it(`gives ${how}`, async () => {
        await succeeds(make({ parse: (content) => give({ content }) }), type, body, { content })
      })
    }

    for (const value of [undefined, null, 0, '', false, 'text', () => {}, { then: 1 }]) {
      it(`may give ${typeof value} ${JSON.stringify(value)}`, async () => {
        for (const parse of [() => value, async () => value]) {
          await succeeds(make({ parse }), type, body, value)
        }
      })
    }

    for (const [how, fail] of Object.entries(throws)) {
      it(`throws ${how}`, () => fails(make({ parse: () => fail(failed({ status: 422, type: 'own' })) }), type, body, { status: 422, type: 'own', message: 'no' }, content))

      it(`throws anything ${how}`, async () => {
        for (const [what, make2, expected] of errors) {
          const seen = await exchange(make({ parse: () => fail(make2()) }), ONE)
          assert.deepEqual([seen.hangs, seen.thrown, seen.next, seen.body], [undefined, undefined, 1, 'undefined'], what)
          for (const [field, value] of Object.entries(expected)) assert.equal(seen.error[field], value, `${field} of ${what}`)
          assert.deepEqual(seen.error.own.body.value, typed(content), what)
        }
      })
    }

    it('is called once, with the content and its context', async () => {
      for (const message of Object.values(everyWay(type, body))) {
        const calls = []
        let request
        const middleware = make({ parse: (...args) => calls.push(args) && 'value' })
        await exchange((req, res, next) => {
          request = req
          middleware(req, res, next)
        }, message)
        assert.equal(calls.length, 1)
        const [given, { req, ...context }, ...rest] = calls[0]
        assert.deepEqual(given, content)
        assert.equal(req, request)
        assert.deepEqual(context, { charset: isBytes(name) ? null : 'utf-8', ...(name === 'json' ? { reviver: undefined } : {}) })
        assert.deepEqual(rest, [])
      }
    })

    it('finds req.body to be there, and undefined', async () => {
      await succeeds(make({ parse: (_, { req }) => ['body' in req, req.body] }), type, body, [true, undefined])
    })

    it('keeps the async context, for itself and for next', async () => {
      const storage = new AsyncLocalStorage()
      for (const parse of [() => storage.getStore(), async () => storage.getStore(), () => delay(1).then(() => storage.getStore()), () => ({ then: (resolve) => setImmediate(resolve, storage.getStore()) }),
        () => { throw failed() }, () => delay(1).then(() => { throw failed() })]) {
        for (const [way, message] of Object.entries(everyWay(type, body))) {
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

    it('keeps the async context of a thenable that calls back from elsewhere', async () => {
      const storage = new AsyncLocalStorage()
      const middleware = make({ parse: () => ({ then: (resolve) => storage.exit(() => setImmediate(resolve, 1)) }) })
      let inNext
      await exchange((req, res, next) => storage.run('store', () => middleware(req, res, () => {
        inNext = storage.getStore()
        next()
      })), ONE)
      assert.equal(inNext, 'store')
    })

    it('does not take what next throws for its own', async () => {
      for (const parse of [() => 1, async () => 1, async () => { throw failed() }]) {
        const thrown = uncaught()
        let calls = 0
        const middleware = make({ parse })
        const seen = exchange((req, res, next) => middleware(req, res, () => {
          calls++
          next()
          throw new Error('from next')
        }), ONE)
        assert.equal((await thrown).message, 'from next')
        await seen
        assert.equal(calls, 1)
      }
    })

    it('goes with verify, which comes first', async () => {
      for (const wait of [(value) => value, async (value) => value, (value) => delay(1, value)]) {
        for (const parse of [(content) => ({ content }), async (content) => ({ content })]) {
          const order = []
          const options = {
            verify: (req, res, bytes) => wait(order.push(`verify ${bytes}`)),
            parse: (content) => order.push('parse') && parse(content)
          }
          await exchange(make(options), ONE)
          assert.deepEqual(order, [`verify ${body}`, 'parse'])
          await succeeds(make(options), type, body, { content })
        }
      }
    })

    it('is not called for what verify refuses', async () => {
      for (const verify of [() => { throw failed() }, async () => { throw failed() }]) {
        const parse = () => assert.fail('called')
        await fails(make({ verify, parse }), type, body, { status: 403, type: 'entity.verify.failed' }, Buffer.from(body))
      }
    })

    it('may fail after verify', async () => {
      for (const verify of [() => {}, async () => {}]) {
        for (const parse of [() => { throw failed() }, async () => { throw failed() }]) {
          await fails(make({ verify, parse }), type, body, PLAIN, content)
        }
      }
    })

    it('is not called for a body over the limit, of another type, or for none', async () => {
      const parse = () => assert.fail('called')
      const large = await exchange(make({ parse, limit: 3 }), ONE)
      assert.equal(large.error.type, 'entity.too.large')
      const other = await exchange(make({ parse }), Object.values(everyWay('text/other', body))[0])
      assert.deepEqual([other.error, other.body, other.hasBody], ['none', 'undefined', true])
      const none = await exchange(make({ parse }), { head: `POST / HTTP/1.1\r\nHost: test\r\nContent-Type: ${type}\r\n\r\n`, pieces: [Buffer.alloc(0)] })
      assert.deepEqual([none.error, none.body, none.hasBody], ['none', 'undefined', true])
    })

    it('must be a function', () => {
      for (const parse of [1, 'text', true, false, {}, [], 0, '', Symbol('s')]) {
        assert.throws(() => make({ parse }), { name: 'TypeError', message: 'option parse must be a function' })
      }
    })

    it('is read when the middleware is made', async () => {
      const options = { parse: () => 1 }
      if (name.startsWith('createParser')) Object.assign(options, { type, charset: isBytes(name) ? false : 'utf-8' })
      const middleware = name.startsWith('createParser') ? createParser(options) : make(options)
      options.parse = () => 2
      assert.deepEqual((await exchange(middleware, ONE)).body, typed(1))
    })
  })
}

/** The next exception that nobody catches. */
function uncaught () {
  const listeners = process.listeners('uncaughtException')
  process.removeAllListeners('uncaughtException')
  return new Promise((resolve) => {
    process.once('uncaughtException', (error) => {
      for (const listener of listeners) process.on('uncaughtException', listener)
      resolve(error)
    })
  })
}

describe('json({ parse })', () => {
  const TYPE = 'application/json'
  const unused = () => assert.fail('called')

  it('is not called for an empty body, which is {}', async () => {
    for (const strict of [true, false]) await succeeds(json({ parse: unused, strict }), TYPE, '', {})
  })

  it('is not called for what strict refuses', async () => {
    for (const text of ['5', 'null', '"{}"', 'nope', ' // {}']) {
      await fails(json({ parse: unused }), TYPE, text, { ...PLAIN, constructor: 'SyntaxError' }, text)
    }
  })

  it('is called for all that is not empty with strict: false', async () => {
    for (const text of ['5', ' ', 'nope', '{', '{}']) {
      await succeeds(json({ parse: (text) => [text], strict: false }), TYPE, text, [text])
    }
  })

  it('may take what opens like JSON, and is none', async () => {
    await succeeds(json({ parse: (text) => text.length }), TYPE, '{a:', 3)
    await succeeds(json({ parse: (text) => text }), TYPE, ' \n[', ' \n[')
    await succeeds(json({ parse: (text) => text }), TYPE, '  ', '  ')
  })

  it('gets the reviver, and is in charge of it', async () => {
    const reviver = (name, value) => name === 'a' ? value + 1 : value
    const contexts = []
    await succeeds(json({ reviver, parse: (text, context) => contexts.push(context) && JSON.parse(text) }), TYPE, '{"a":1}', { a: 1 })
    assert.equal(contexts[0].reviver, reviver)
    await succeeds(json({ reviver, parse: (text, context) => JSON.parse(text, context.reviver) }), TYPE, '{"a":1}', { a: 2 })
  })

  it('gets no reviver that is none', async () => {
    for (const reviver of ['text', 5, null, ['a']]) {
      await succeeds(json({ reviver, parse: (text, context) => [context.reviver] }), TYPE, '{}', [undefined])
    }
  })

  it('gets text decoded, without its byte order mark', async () => {
    const parse = (text, { charset }) => [text, charset]
    const body = '{"name":"論 é"}'
    await succeeds(json({ parse }), TYPE, `\ufeff${body}`, [body, 'utf-8'])
    await succeeds(json({ parse }), `${TYPE}; charset=UTF-16LE`, Buffer.from(body, 'utf16le'), [body, 'utf-16le'])
    await succeeds(json({ parse, defaultCharset: 'utf-16' }), TYPE, Buffer.from(`\ufeff${body}`, 'utf16le'), [body, 'utf-16'])
  })

  it('throws what keeps its fields, unlike a reviver', async () => {
    await fails(json({ parse () { throw failed({ extra: 1, status: 409 }) } }), TYPE, '{}', { status: 409 }, '{}')
    const seen = await exchange(json({ parse () { throw failed({ extra: 1 }) } }), Object.values(everyWay(TYPE, '{}'))[0])
    assert.deepEqual(seen.error.own.extra.value, typed(1))
  })

  it('cannot be beside what only JSON.parse is used with', () => {
    const parse = () => {}
    for (const [name, values] of Object.entries({ depth: [5, Infinity, 0], onProtoPoisoning: ['error', 'ignore'], onConstructorPoisoning: ['remove', 'ignore'] })) {
      for (const value of values) assert.throws(() => json({ parse, [name]: value }), { name: 'TypeError', message: `option ${name} cannot be combined with parse` })
      for (const value of [undefined, null]) json({ parse, [name]: value })
    }
    for (const parse of [undefined, null]) json({ parse, depth: 5 })
  })
})

describe('urlencoded({ parse })', () => {
  const TYPE = 'application/x-www-form-urlencoded'
  const unused = () => assert.fail('called')

  it('is not called for an empty body, which is {}', () => succeeds(urlencoded({ parse: unused }), TYPE, '', {}))

  it('is not called for more than parameterLimit', async () => {
    const parse = (text) => Object.fromEntries(new URLSearchParams(text))
    await fails(urlencoded({ parse: unused, parameterLimit: 2 }), TYPE, 'a=1&b=2&c=3', { status: 413, type: 'parameters.too.many' }, 'a=1&b=2&c=3')
    await succeeds(urlencoded({ parse, parameterLimit: 3 }), TYPE, 'a=1&b=2&c=3', { a: '1', b: '2', c: '3' })
    await succeeds(urlencoded({ parse: async (text) => parse(text), parameterLimit: 3 }), TYPE, 'a=1&b=2&c=3', { a: '1', b: '2', c: '3' })
  })

  it('gets the text as it was sent, extended or not', async () => {
    for (const extended of [true, false, undefined]) {
      for (const text of ['a[b]=1&a[b]=2', '%41=+&&=', '&', 'toString=1&__proto__=2', 'utf8=%E2%9C%93&a=%26%2365;']) {
        await succeeds(urlencoded({ extended, parse: (text) => [text] }), TYPE, text, [text])
      }
    }
  })

  it('gets the charset', async () => {
    const parse = (text, { charset }) => [text, charset]
    await succeeds(urlencoded({ parse }), `${TYPE}; charset=ISO-8859-1`, Buffer.from('a=\xe9', 'latin1'), ['a=é', 'iso-8859-1'])
    await succeeds(urlencoded({ parse, defaultCharset: 'iso-8859-1' }), TYPE, Buffer.from('a=\xe9', 'latin1'), ['a=é', 'iso-8859-1'])
  })

  it('cannot be beside what only qs is used with', () => {
    const parse = () => {}
    const wrong = { allowPrototypes: [true, false], charsetSentinel: [true, false], depth: [5, 0], interpretNumericEntities: [true, false] }
    for (const [name, values] of Object.entries(wrong)) {
      for (const value of values) {
        assert.throws(() => urlencoded({ parse, extended: true, [name]: value }), { name: 'TypeError', message: `option ${name} cannot be combined with parse` })
      }
      urlencoded({ parse, extended: true, [name]: undefined })
    }
  })
})

describe('createParser()', () => {
  const parse = (content) => [content]

  it('parses what its type says', async () => {
    const kinds = [
      ['application/yaml', 'application/yaml'],
      ['+yaml', 'application/x+yaml'],
      ['text/*', 'text/csv'],
      ['json', 'application/json'],
      [['application/a', 'application/b'], 'application/b'],
      [(req) => req.headers['content-type'].startsWith('vnd'), 'vnd/5']
    ]
    for (const [type, sent] of kinds) {
      await succeeds(createParser({ type, parse }), sent, 'text', ['text'])
      await succeeds(createParser({ type, parse }), 'image/png', 'text', undefined)
    }
  })

  it('hands over the empty body, too', async () => {
    await succeeds(createParser({ type: 'a/b', parse }), 'a/b', '', [''])
    await succeeds(createParser({ type: 'a/b', charset: false, parse }), 'a/b', '', [Buffer.alloc(0)])
  })

  it('decodes any charset that iconv-lite knows', async () => {
    const tell = (text, { charset }) => [text, charset]
    const koi8 = Buffer.from([0xC1, 0xC2])
    await succeeds(createParser({ type: 'a/b', parse: tell }), 'a/b; charset=KOI8-R', koi8, ['аб', 'koi8-r'])
    for (const charset of ['koi8-r', 'KOI8-R']) await succeeds(createParser({ type: 'a/b', charset, parse: tell }), 'a/b', koi8, ['аб', 'koi8-r'])
    for (const charset of [undefined, null]) await succeeds(createParser({ type: 'a/b', charset, parse: tell }), 'a/b', 'é', ['é', 'utf-8'])
    const seen = await outcomeOfAll(createParser({ type: 'a/b', parse: tell }), 'a/b; charset=klingon', 'x')
    assert.deepEqual([seen.error.status, seen.error.type, seen.error.message], [415, 'charset.unsupported', 'unsupported charset "KLINGON"'])
  })

  it('decodes nothing with charset: false', async () => {
    const bytes = Buffer.from('fffe00c3', 'hex')
    await succeeds(createParser({ type: 'a/b', charset: false, parse: (bytes, { charset }) => [bytes, charset] }), 'a/b; charset=klingon', bytes, [bytes, null])
  })

  it('gives bytes that nobody else writes to', async () => {
    const kept = []
    const middleware = createParser({ type: 'a/b', charset: false, parse: (bytes) => { kept.push(bytes) } })
    for (const body of ['first', 'other']) await outcomeOfAll(middleware, 'a/b', body)
    const half = kept.length / 2
    assert.ok(kept.every((bytes, at) => String(bytes) === (at < half ? 'first' : 'other')))
  })

  it('takes limit, inflate, verify and rawBody', async () => {
    const make = (options) => createParser({ type: 'a/b', parse, ...options })
    for (const message of Object.values(everyWay('a/b', 'text'))) assert.equal((await exchange(make({ limit: 3 }), message)).error.type, 'entity.too.large')
    await succeeds(make({ limit: 4 }), 'a/b', 'text', ['text'])
    const zipped = Object.entries(everyWay('a/b', 'text')).filter(([way]) => way.startsWith('gzip'))
    for (const [, message] of zipped) assert.equal((await exchange(make({ inflate: false }), message)).error.type, 'encoding.unsupported')
    const charsets = []
    await outcomeOfAll(make({ verify: (req, res, bytes, charset) => { charsets.push(charset) } }), 'a/b', 'text')
    await outcomeOfAll(make({ charset: false, verify: (req, res, bytes, charset) => { charsets.push(charset) } }), 'a/b', 'text')
    assert.deepEqual([...new Set(charsets)], ['utf-8', null])
    await succeeds(make({ rawBody: true, parse: (text, { req }) => [text, req.rawBody] }), 'a/b', 'text', ['text', Buffer.from('text')])
  })

  it('leaves a body that was parsed before alone', async () => {
    const first = createParser({ type: 'a/b', parse })
    const second = createParser({ type: 'a/b', parse: () => assert.fail('called') })
    await succeeds((req, res, next) => first(req, res, (error) => error ? next(error) : second(req, res, next)), 'a/b', 'text', ['text'])
  })

  it('stands in a row with the other parsers', async () => {
    const row = [json(), urlencoded(), text(), raw(), createParser({ type: 'a/b', parse })]
    const all = (req, res, next) => {
      const step = (at) => (error) => error || at === row.length ? next(error) : row[at](req, res, step(at + 1))
      step(0)()
    }
    await succeeds(all, 'a/b', 'text', ['text'])
    await succeeds(all, 'application/json', '{"a":1}', { a: 1 })
  })

  it('is a middleware called customParser, with an entry point of its own', () => {
    const middleware = createParser({ type: 'a/b', parse })
    assert.deepEqual([middleware.name, middleware.length, createParser.name, createParser.length], ['customParser', 3, 'createParser', 1])
    assert.equal(require('fast-body-parser/custom'), createParser)
  })

  it('must have a type and a parse', () => {
    const noType = { name: 'TypeError', message: 'option type must be a function, or a media type in lower case, a pattern or a known extension name, or a list of these' }
    for (const options of [undefined, null, 5, 'a/b', {}, { parse }]) assert.throws(() => createParser(options), noType)
    for (const type of [null, '', 0, 5, true, {}, [], [''], Array(1), ['a/b', 5], [[]], 'ndjson', 'A/B', 'a/b; c=d', ' a/b', 'a b/c', '/', '*', '+', '+x y']) assert.throws(() => createParser({ type, parse }), noType)
    for (const options of [{ type: 'a/b' }, { type: 'a/b', parse: null }]) {
      assert.throws(() => createParser(options), { name: 'TypeError', message: 'option parse must be a function' })
    }
  })

  it('must have options that are right', () => {
    for (const type of ['a/b', 'json', '+json', '*/*', 'a/*', '*/b', ['urlencoded', 'application/vnd.x+json']]) createParser({ type, parse })
    for (const charset of ['UTF-8', 'koi8-r', 'Shift_JIS']) createParser({ type: 'a/b', parse, charset })
    for (const charset of ['', 'klingon', true, 0, 5, {}, [], () => 'utf-8']) {
      assert.throws(() => createParser({ type: 'a/b', parse, charset }), { name: 'TypeError', message: 'option charset must be one that iconv-lite knows, or false for bytes' })
    }
    assert.throws(() => createParser({ type: 'a/b', parse, limit: 'much' }), { name: 'TypeError', message: /limit/ })
    assert.throws(() => createParser({ type: 'a/b', parse, verify: 'yes' }), { name: 'TypeError', message: /verify/ })
  })

  it('is traced as body-parser:custom', () => {
    const script = `
      const { Readable } = require('node:stream')
      const req = Object.assign(Readable.from([Buffer.from('text')]), { headers: { 'content-type': 'a/b', 'content-length': '4' } })
      require('.').createParser({ type: 'a/b', parse: async (text) => [text] })(req, {}, () => console.log(JSON.stringify(req.body)))
    `
    const { stdout, stderr } = spawnSync(process.execPath, ['--eval', script], {
      cwd: path.join(__dirname, '../..'),
      encoding: 'utf8',
      env: { ...process.env, DEBUG: 'body-parser:*', DEBUG_COLORS: 'no', DEBUG_HIDE_DATE: 'yes' }
    })
    assert.equal(stdout.trim(), '["text"]')
    assert.deepEqual(stderr.trim().split('\n').map((line) => line.trim()),
      ['content-type "a/b"', 'content-encoding "identity"', 'read body', 'parse body'].map((line) => `body-parser:custom ${line}`))
  })
})
