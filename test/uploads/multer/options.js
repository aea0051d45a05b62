'use strict'

const assert = require('node:assert/strict')
const { EventEmitter } = require('node:events')
const { createBudget } = require('../../../')
const Clock = require('../../support/clock')
const { outcomeOf } = require('../../support/multer-outcome')
const { TYPE, nextOf } = require('../../support/upload')
const { agree, agreed, any, field, file, form, ours, theirs } = require('../../support/multer-rows')

/** What a call throws, or the type of what it returns. */
function result (call) {
  try {
    return typeof call()
  } catch (error) {
    return [error.constructor, error.message]
  }
}

describe('multer: options', () => {
  const LIMITS = [
    null, 1, 'x', [], () => 1,
    ...['fileSize', 'fieldNestingDepth', 'fieldArrayIndexLimit', 'parts', 'headerPairs', 'files', 'fields', 'unknown']
      .flatMap((name) => [-1, '1', NaN, 1.5, null, undefined, Infinity, 0, {}].map((value) => ({ [name]: value })))
  ]
  const OPTIONS = [
    undefined, null, 'x', 1, () => {}, [], {}, ...LIMITS.map((limits) => ({ limits })),
    ...[null, {}].map((storage) => ({ storage })), { dest: null }, { dest: '' },
    ...[null, 1, 'x', undefined].map((streamHandler) => ({ streamHandler })),
    { defCharset: null }, { defParamCharset: null }, { fileFilter: null },
    { fileHwm: -1, highWaterMark: null, preservePath: 1 }
  ]

  it('are refused as multer refuses them', () => {
    for (const options of OPTIONS) assert.deepEqual(result(() => ours(options)), result(() => theirs(options)))
  })

  it('are refused when they are given, where multer fails with each request', () => {
    for (const options of [{ defCharset: 'nope' }, { defParamCharset: 5 }, { fileFilter: 'x' }]) {
      const [type, message] = result(() => ours(options))
      assert.equal(type, TypeError)
      assert.ok(message.startsWith(`Expected ${Object.keys(options)} to be a `), message)
      assert.equal(result(() => theirs(options)), 'object')
    }
    const message = 'Expected defParamCharset to be a known charset'
    assert.deepEqual(result(() => ours({ defParamCharset: 5 })), [TypeError, message])
    assert.equal(result(() => ours().fields())[0], TypeError)
    assert.equal(result(() => theirs().fields()), 'function')
  })

  it('that other parsers have are checked as there', () => {
    for (const name of ['buffered', 'budget', 'drainLimit', 'minRate', 'timeout']) {
      assert.match(result(() => ours({ [name]: 'x' }).any())[1], new RegExp(`option ${name}`))
    }
  })

  it('cannot combine a streamHandler with buffered, as both say where the content is', () => {
    const message = 'option buffered cannot be combined with streamHandler'
    assert.deepEqual(result(() => ours({ buffered: true, streamHandler () {} }).any()), [TypeError, message])
  })

  it('may be inherited', async () => {
    class Limited { get limits () { return { fileSize: 1 } } }
    const { error } = await agreed({ body: form(file('x')), make: (multer) => multer(new Limited()).any() })
    assert.equal(error.code, 'LIMIT_FILE_SIZE')
    const { left } = await agreed({
      body: form(file('x')),
      make: (multer, dest) => multer(Object.create({ dest })).any()
    })
    assert.equal(left, 1)
  })

  it('are those of a function with the same names, whether it is required or imported', async () => {
    const names = await Promise.all(['multer', 'fast-body-parser/multer'].map(async (name) => {
      const module = await import(name)
      assert.equal(module.default, require(name))
      return ['MulterError', 'diskStorage', 'memoryStorage'].map((key) =>
        [key, typeof module[key], typeof module.default[key]])
    }))
    assert.deepEqual(names[0], names[1])
  })

  it('make middleware of the same name and length', () => {
    for (const name of ['single', 'array', 'none', 'any']) {
      assert.deepEqual([ours()[name]('x').name, ours()[name]('x').length],
        [theirs()[name]('x').name, theirs()[name]('x').length])
    }
  })

  agree({
    'streamHandler: pipes': [
      form(field('a'), file('x', 'a', 'x'.repeat(300_000))),
      { streamHandler: (req, stream) => req.pipe(stream) }
    ],
    'streamHandler: ends early': [form(field('a')), { streamHandler: (req, stream) => stream.end(field('x')) }],
    'streamHandler: destroys': [form(field('a')), { streamHandler: (req, stream) => stream.destroy(new Error('D')) }],
    'streamHandler: limits that throw': [
      form(field('a')),
      { limits: () => { throw new Error('no') }, streamHandler: (req, stream) => req.pipe(stream) }
    ]
  })

  it('streamHandler: takes a body that was read before', async () => {
    const make = (multer) => {
      const any = multer({ streamHandler: (req, stream) => stream.end(req.rawBody) }).any()
      return async (req, res, next) => {
        req.rawBody = Buffer.concat(await req.toArray())
        any(req, res, next)
      }
    }
    const seen = await agreed({ body: form(field('a'), file('x')), make })
    assert.equal(seen.files.length, 1)
  })

  it('streamHandler: gets a stream with the highWaterMark', async () => {
    const make = any({
      highWaterMark: 5,
      streamHandler: (req, stream) => { stream.destroy(new Error(String(stream.writableHighWaterMark))) }
    })
    assert.equal((await agreed({ body: form(field('a')), make })).error.message, '5')
  })

  it('streamHandler: waits for files that are stored once the request is closed', async () => {
    const _handleFile = (req, { stream }, done) => stream.resume().on('end', () => setTimeout(done, 50))
    const make = any({ streamHandler: (req, stream) => req.pipe(stream), storage: { _handleFile, _removeFile () {} } })
    assert.equal((await agreed({ body: form(file('x'), field('a')), make })).files.length, 1)
  })

  it('streamHandler: is held to a budget by what a form holds at a time', async () => {
    const make = any({
      budget: createBudget({ bytes: 300_000 }),
      streamHandler (req, stream) {
        stream.write('--b\r\nContent-Disposition: form-data; name="a"\r\n\r\n')
        for (let count = 0; count < 5; count++) stream.write('x'.repeat(50_000))
        stream.end('\r\n--b--')
      }
    })
    const { error, body } = await outcomeOf(ours, { body: form(), make })
    assert.deepEqual([error, body.a?.length], [undefined, 250_000])
  })

  it('streamHandler: is told to wait while an engine has much to read', async () => {
    let isWaiting
    const _handleFile = (req, { stream }, done) => setTimeout(() => stream.resume().on('end', () => done()), 50)
    const streamHandler = (req, stream) => {
      stream.write(file('x', 'a', 'x'.repeat(300_000)))
      setTimeout(() => {
        isWaiting = stream.writableLength > 0
        stream.end('--b--')
      }, 10)
    }
    const { error } = await outcomeOf(ours, { body: form(), make: any({ storage: { _handleFile }, streamHandler }) })
    assert.deepEqual([error, isWaiting], [undefined, true])
  })

  for (const when of ['before it reads', 'once it has read all']) {
    it(`streamHandler: does not count for minRate what an engine takes ${when}`, async () => {
      const clock = new Clock()
      const later = (act) => setTimeout(() => { clock.pass(60_000); act() }, 20)
      const _handleFile = (req, { stream }, done) => {
        const end = () => stream.resume().on('end', () => when.startsWith('once') ? later(done) : done())
        if (when.startsWith('once')) end()
        else later(end)
      }
      const streamHandler = (req, stream) => stream.end(form(field('a'), file('x', 'a', 'x'.repeat(300_000))))
      const make = () => clock.load(() => require('../../../lib/types/multer')({
        minRate: '1mb', storage: { _handleFile }, streamHandler
      }).any())
      const { error, files } = await outcomeOf(ours, { body: form(), make })
      assert.deepEqual([error, files?.length], [undefined, 1])
    })
  }

  it('streamHandler: leaves no listeners at the request', async () => {
    let counts
    const make = (multer) => {
      const upload = multer({ streamHandler: (req, stream) => stream.end(form(field('a'))) }).any()
      const listeners = (req) => ['aborted', 'close', 'error'].map((event) => req.listenerCount(event))
      return (req, res, next) => {
        const before = listeners(req)
        upload(req, res, (error) => {
          counts = [before, listeners(req)]
          next(error)
        })
      }
    }
    await outcomeOf(ours, { body: form(), make })
    assert.deepEqual(counts[1], counts[0])
  })

  it('streamHandler: may fail with a request that is not a stream', async () => {
    const req = Object.assign(new EventEmitter(), { headers: { 'content-type': TYPE, 'content-length': '9' } })
    const upload = ours({ streamHandler: (req, stream) => stream.destroy(new Error('E')) }).any()
    assert.equal((await nextOf(upload, req)).message, 'E')
  })

  it('streamHandler: may throw, and reject', async () => {
    const fail = () => { throw new Error('E') }
    for (const streamHandler of [fail, async () => fail()]) {
      const { error } = await outcomeOf(ours, { body: form(field('a')), make: any({ streamHandler }) })
      assert.equal(error.message, 'E')
    }
  })

  it('streamHandler: fails once the client has left, although all has arrived: only the app can read on', async () => {
    let isWhole
    const streamHandler = (req) => setImmediate(() => {
      isWhole = req.complete && !req.readableEnded
      req.socket.destroy()
    })
    const seen = await outcomeOf(ours, { body: form(field('a')), make: any({ streamHandler }) })
    assert.deepEqual([isWhole, seen.error.message], [true, 'Request aborted'])
  })

  it('streamHandler: destroyed without an error, the form lacks its end', async () => {
    const make = any({ streamHandler: (req, stream) => { stream.destroy() } })
    const { error } = await outcomeOf(ours, { body: form(field('a')), make })
    assert.equal(error.message, 'Unexpected end of form')
  })
})

describe('MulterError', () => {
  const CODES = [
    'LIMIT_PART_COUNT', 'LIMIT_FILE_SIZE', 'LIMIT_FILE_COUNT', 'LIMIT_FIELD_KEY', 'LIMIT_FIELD_VALUE',
    'LIMIT_FIELD_COUNT', 'LIMIT_UNEXPECTED_FILE', 'LIMIT_FIELD_NESTING', 'LIMIT_FIELD_ARRAY_INDEX',
    'MISSING_FIELD_NAME', 'INVALID_FIELD_NAME', 'STREAM_DESTROYED', 'OTHER'
  ]

  const enumerable = (error) =>
    Object.entries(Object.getOwnPropertyDescriptors(error)).filter(([, field]) => field.enumerable)

  it('has what multer\'s has', () => {
    for (const code of CODES) {
      for (const more of [[], ['f'], ['f', 'n.txt'], [undefined, 'n.txt']]) {
        const [error, expected] = [ours, theirs].map(({ MulterError }) => new MulterError(code, ...more))
        assert.deepEqual(enumerable(error), enumerable(expected))
        assert.equal(JSON.stringify(error), JSON.stringify(expected))
        assert.equal(String(error), String(expected))
        assert.equal(error.stack.split('\n')[0], expected.stack.split('\n')[0])
        assert.ok(error instanceof Error && error instanceof ours.MulterError)
      }
    }
  })

  it('is the class of the errors of a form', async () => {
    const make = (multer) => (req, res, next) => multer().none()(req, res, (error) => {
      req.body.isOwn = error instanceof multer.MulterError
      next()
    })
    assert.equal((await agreed({ body: form(file('x')), make })).body.isOwn, true)
  })

  it('has a status as well, which its JSON does not show', () => {
    const statusOf = (code) => new ours.MulterError(code).status
    assert.deepEqual(CODES.map(statusOf), [413, 413, 413, 413, 413, 413, 400, 400, 400, 400, 400, undefined, undefined])
    assert.deepEqual(
      ['status', 'statusCode'].map((name) => Object.keys(new ours.MulterError('LIMIT_FILE_SIZE')).includes(name)),
      [false, false]
    )
    assert.equal(Object.hasOwn(new ours.MulterError('OTHER'), 'status'), false)
    const hidden = { value: 413, writable: true, enumerable: false, configurable: true }
    assert.deepEqual(Object.getOwnPropertyDescriptor(new ours.MulterError('LIMIT_FILE_SIZE'), 'statusCode'), hidden)
    assert.equal(Object.assign(new ours.MulterError('LIMIT_FILE_SIZE'), { status: 422 }).status, 422)
  })
})
