'use strict'

// The differences that docs/multer.md lists, each with what both do.

const assert = require('node:assert/strict')
const fs = require('node:fs')
const path = require('node:path')
const { PassThrough, pipeline } = require('node:stream')
const { setTimeout: delay } = require('node:timers/promises')
const { createBudget } = require('../../../')
const useFolder = require('../../support/folder')
const { HEAD, any, both, differ, field, file, form, ours, part } = require('../../support/multer-rows')
const { outcomeOf } = require('../../support/multer-outcome')
const { connect } = require('../../support/shared-server')
const { nextUncaught } = require('../../support/uncaught')
const { nextOf, openRequest } = require('../../support/upload')

const LARGE = 'x'.repeat(300_000)
const NO_END = 'Unexpected end of form'
const engine = (_handleFile, _removeFile = (req, file, done) => done(null), options) =>
  any({ storage: { _handleFile, _removeFile }, ...options })
const only = (make, body, more) => outcomeOf(ours, { make, body, ...more })
const toEnd = (file, act) => file.stream.resume().on('end', act)
const fail = () => { throw new Error('F') }

/** As multer's guide for engines has it: nothing listens for errors of the stream. */
const piping = (folder) => ({
  _handleFile (req, file, done) {
    const target = fs.createWriteStream(path.join(folder, file.fieldname))
    file.stream.pipe(target)
      .on('error', done)
      .on('finish', () => done(null, { path: target.path, size: target.bytesWritten }))
  },
  _removeFile: (req, file, done) => fs.unlink(file.path, done)
})

const wrap = (storage) => ({
  _handleFile: (...args) => storage._handleFile(...args),
  _removeFile: (...args) => storage._removeFile(...args)
})

const onDisk = (optionsOf, storageOf = (storage) => storage) => (multer, folder) =>
  multer({ storage: storageOf(multer.diskStorage({ destination: folder, ...optionsOf(folder) })) }).any()

describe('multer, where its stand-in differs', () => {
  it('gives errors a status', async () => {
    const rows = [
      [any({ limits: { fileSize: 1 } }), form(file('x')), 413],
      [any({ limits: { fields: 0 } }), form(field('x')), 413],
      [(multer) => multer().none(), form(file('x')), 400],
      [any(), field('x'), 400],
      [any(), form(part('nonsense')), 400],
      [any(), form(), 400, { 'Content-Type': 'multipart/form-data' }],
      [any(), form(), 415, { 'Content-Type': 'multipart/mixed; boundary=b' }]
    ]
    for (const [make, body, status, headers] of rows) {
      assert.deepEqual((await both({ make, body, headers })).map((seen) => seen.status), [status, undefined])
    }
  })

  differ({
    'leaves no file of an engine that listens for no errors': [
      (multer, folder) => multer({ storage: piping(folder) }).any(), file('x', 'a', LARGE),
      { error: NO_END, left: 0 }, { error: NO_END, left: 1 }
    ],
    'leaves no file of an engine around that of multer, of an upload that is cut': [
      onDisk(() => {}, wrap), file('x') + file('y', 'a', LARGE),
      { calls: 1, error: 'Request aborted', left: 0, status: 400 }, undefined, { cut: true }
    ],
    'takes the first call of a filter alone': [
      any({ fileFilter: (req, file, done) => { done(null, true); done(new Error('2')) } }), form(file('x')),
      { error: undefined }, { error: '2' }
    ],
    'takes the first call of an engine alone': [
      engine((req, file, done) => toEnd(file, () => { done(null, {}); done(new Error('2')) })), form(file('x')),
      { error: undefined }, { error: '2' }
    ],
    'goes on with an engine that calls back and reads nothing of a large file, where multer hangs': [
      engine((req, file, done) => done(null, { size: 1 })), form(file('x', 'a', LARGE), field('b')),
      { files: ['x: 1'] }, { hangs: true }
    ],
    'makes an Error of what an engine reports, if it is none': [
      engine((req, file, done) => done('E')), form(file('x')), { error: 'E' }, { error: 'E' }
    ],
    'bears an error of the app that cannot be changed': [
      any({ fileFilter: (req, file, done) => done(Object.freeze(new Error('frozen'))) }), form(file('x')),
      { error: 'frozen' }
    ],
    'keeps the place of a file in a copy of the list': [
      any({ fileFilter: (req, file, done) => { req.files = [...req.files]; done(null, true) } }),
      form(file('x'), file('y')), { files: ['x: 2', 'y: 2'] }
    ],
    'asks a filter about one file after the other': [
      (multer) => multer({
        fileFilter: (req, { originalname }, done) => setTimeout(done, 5, null, originalname !== 'n')
      }).single('x'),
      form(file('x', 'n'), file('x')), { error: undefined }, { error: 'LIMIT_UNEXPECTED_FILE' }
    ],
    'shows what came before an error alone': [
      any({ limits: { fileSize: 1 } }), form(field('a'), file('x'), field('b')),
      { body: { '<null>': true, a: '1' } }, { body: { '<null>': true, a: '1', b: '1' } }
    ],
    'keeps a line of a value that begins with the boundary': [
      any(), form(field('a', '1\r\n--bx\r\n2')),
      { body: { '<null>': true, a: '1\r\n--bx\r\n2' } }, { body: { '<null>': true, a: '1' } }
    ],
    'reads the part behind a boundary with a blank': [
      any(), form(field('a'), field('c').replace('--b', '--b ')),
      { body: { '<null>': true, a: '1', c: '1' } }, { body: { '<null>': true, a: '1' } }
    ],
    'copies few entries of a sparse array, where multer hangs': [
      any(), form(field('a[4294967294]'), field('a[b]')),
      { body: { '<null>': true, a: { '<null>': true, 4294967294: '1', b: '1' } } }
    ],
    'decodes names in a charset that multer does not know': [
      any({ defParamCharset: 'gbk' }), form(field('a')),
      { body: { '<null>': true, a: '1' } }, { body: { '<null>': true } }
    ],
    'decodes a value in utf-16be, which multer loses': [
      any(), form(part(`${HEAD}a\r\nContent-Type: text/plain; charset=utf-16be`, '\0a')),
      { body: { '<null>': true, a: 'a' } }, { body: { '<null>': true, a: '<undefined>' } }
    ],
    'gives the stream of a file no highWaterMark': [
      engine((req, file, done) => toEnd(file, () => done(null, { size: file.stream.readableHighWaterMark })), undefined,
        { fileHwm: 99 }),
      form(file('x')), { files: ['x: 0'] }, { files: ['x: 99'] }
    ],
    'refuses a form over a budget that a streamHandler reads': [
      any({ budget: createBudget({ bytes: 1000 }), streamHandler: (req, stream) => req.pipe(stream) }),
      form(file('x', 'a', LARGE)), { status: 503 }
    ]
  })

  for (const parts of [0, 1]) {
    it(`shows ${parts} parts before the error of one that the user has not chosen`, async () => {
      const unchosen = part(`${HEAD}"x"; filename=""\r\nContent-Type: application/octet-stream`, '')
      const [seen, expected] = await both({ make: any({ limits: { parts } }), body: form(field('a'), unchosen) })
      assert.deepEqual([seen.error.code, expected.error.code, Object.keys(seen.body).length],
        ['LIMIT_PART_COUNT', 'LIMIT_PART_COUNT', 1 + parts])
    })
  }

  describe('ends with an error of a function of the app, where multer ends the process, or hangs: of', () => {
    const reject = async () => fail()
    const late = (...args) => (req, file, done) => setTimeout(done, 5, ...args)
    const withFolder = (folder) => (req, file, done) => done(null, folder)
    const body = form(field('a'), file('x'))
    for (const [how, act] of [['throws', fail], ['rejects', reject]]) {
      differ({
        [`a filter that ${how}`]: [any({ fileFilter: act }), body, { error: 'F' }],
        [`an engine that ${how}`]: [engine(act), body, { error: 'F' }],
        [`a directory that ${how}`]: [onDisk(() => ({ destination: act })), body, { error: 'F' }]
      })
    }
    differ({
      'a filter that rejects with nothing': [
        // eslint-disable-next-line prefer-promise-reject-errors
        any({ fileFilter: () => Promise.reject() }), body, { status: 500 }
      ]
    })
    // [what, options of the disk, error]
    const names = [
      ['a name that rejects after a directory',
        (folder) => ({ destination: withFolder(folder), filename: reject }), 'F'],
      ['a name that throws after a late directory',
        (folder) => ({ destination: late(null, folder), filename: fail }), 'F'],
      ['a name that is reported, and throws', () => ({
        filename: (req, file, done) => { done(new Error('F')); fail() }
      }), 'F'],
      ['a directory that is undefined later', () => ({ destination: late(null, undefined) }), 'ERR_INVALID_ARG_TYPE'],
      ['a name of the client with NUL later', () => ({ filename: late(null, 'a\0b') }), 'ERR_INVALID_ARG_VALUE']
    ]
    for (const [what, optionsOf, error] of names) {
      const expected = { calls: 1, error, files: [], left: 0 }
      differ({
        [what]: [onDisk(optionsOf), form(file('x')), expected],
        [`${what}, of an engine around that of multer`]: [onDisk(optionsOf, wrap), form(file('x')), expected]
      })
    }

    it('an engine that throws as it removes a file', async () => {
      const make = engine((req, file, done) => toEnd(file, () => done(file.fieldname === 'y' && new Error('E'))), fail)
      assert.deepEqual((await only(make, form(file('x'), file('y')))).error.storageErrors, ['F'])
    })
  })

  it('tells engines that listen for errors of their stream of those of others', async () => {
    const errors = []
    const make = engine((req, file, done) => pipeline(file.stream, new PassThrough().resume(), (error) => {
      errors.push(error?.message)
      done(error, {})
    }))
    await only(make, file('x', 'a', LARGE))
    assert.deepEqual(errors, [NO_END])
  })

  it('bears an app that takes req.files away', async () => {
    const routes = [
      (upload) => upload.any(),
      (upload) => upload.single('x'),
      (upload) => upload.fields([{ name: 'x' }])
    ]
    for (const open of routes) {
      for (const outcome of [[null, true], [null, false]]) {
        const fileFilter = (req, file, done) => setTimeout(() => { req.files = undefined; done(...outcome) }, 5)
        const { calls, error } = await only((multer) => open(multer({ fileFilter })), form(file('x')))
        assert.deepEqual([calls, error], [1, undefined])
      }
    }
  })

  it('ignores functions of the app that report after the form has failed', async () => {
    const late = []
    const make = any({
      fileFilter (req, file, done) {
        if (file.fieldname === 'x') return done(null, true)
        late.push(() => done(null, true))
        req.destroy()
        req.once('close', () => setImmediate(() => late.forEach((report) => report())))
      },
      storage: {
        _handleFile: (req, file, done) => file.stream.on('error', () => {}).resume() && late.push(() => done(null, {})),
        _removeFile: (req, file, done) => done(null)
      }
    })
    const seen = await only(make, form(file('x'), file('y')))
    assert.deepEqual([seen.calls, seen.error.message, late.length], [1, 'Request aborted', 2])
  })

  it('bears an engine whose methods are missing', async () => {
    assert.match((await only(any({ storage: {} }), form(file('x')))).error.message, /_handleFile/)
  })

  it('reaches no prototype', async () => {
    const names = [
      '__proto__[a]', 'constructor[prototype][a]', 'b[__proto__][a]', 'c[0][__proto__][a]', 'd[]', 'd[__proto__][a]',
      '__proto__'
    ]
    for (const { error } of await both({
      make: any(),
      body: form(...names.map((name) => field(name)), file('__proto__'))
    })) {
      assert.equal(error, undefined)
    }
    assert.equal({}.a, undefined)
    assert.equal([].a, undefined)
  })
})

describe('multer, clients that leave', () => {
  const folder = useFolder()

  async function serve (middleware, act) {
    let report
    const called = new Promise((resolve) => { report = resolve })
    const { socket } = await connect((req, res) => middleware(req, res, (error) => {
      res.end()
      report(error)
    }))
    try {
      return await act(socket, () => Promise.race([called, delay(8000, 'hangs', { ref: false })]))
    } finally {
      socket.destroy()
    }
  }
  const head = (length) =>
    `POST / HTTP/1.1\r\nHost: a\r\nContent-Type: multipart/form-data; boundary=b\r\nContent-Length: ${length}\r\n\r\n`
  const whole = form(field('a'), file('x'))

  it('end a filter, a directory and an engine that never call back', async () => {
    let removed = 0
    const report = { engine () {} } // of the engine, which is late
    const storage = (act) => ({
      storage: {
        _handleFile (req, file, done) {
          report.engine = done
          act()
        },
        _removeFile: () => removed++
      }
    })
    for (const optionsOf of [
      (act) => ({ fileFilter: act }), storage, (act) => ({ storage: ours.diskStorage({ destination: act }) }),
      (act) => ({ streamHandler: act })
    ]) {
      let begin
      const begun = new Promise((resolve) => { begin = resolve })
      const error = await serve(ours(optionsOf(() => begin())).any(), async (socket, next) => {
        socket.write(head(whole.length) + whole)
        await begun
        socket.destroy()
        return next()
      })
      assert.equal(error?.message ?? error, 'Request aborted')
    }
    assert.equal(removed, 0)
    report.engine(null, {})
    await delay(5)
    assert.equal(removed, 1)
  }).timeout(40_000)

  it('are not waited for if there is a timeout', async () => {
    for (const options of [{ fileFilter () {} }, { streamHandler () {} }]) {
      const error = await serve(ours({ dest: folder.at(), timeout: 20, ...options }).any(), (socket, next) => {
        socket.write(head(whole.length) + whole)
        return next()
      })
      assert.deepEqual([error.status, error.type, folder.names()], [408, 'request.timeout', []])
    }
  })

  it('may be read by a streamHandler that takes all listeners of its stream away, where multer ends the process', async () => {
    const streamHandler = (req, stream) => stream.removeAllListeners().destroy(new Error('destroyed'))
    const { error, calls } = await only(any({ streamHandler }), form(field('a')))
    assert.deepEqual([error.message, calls], ['destroyed', 1])
  })

  it('may be streams that are destroyed while a streamHandler reads them', async () => {
    for (const [reason, message] of [[undefined, 'Request aborted'], [new Error('E'), 'E']]) {
      const req = openRequest()
      const called = nextOf(ours({ streamHandler: (req, stream) => req.pipe(stream) }).any(), req)
      req.push('--b\r\n')
      req.destroy(reason)
      assert.equal((await called).message, message)
    }
  })

  it('do not hide what next throws', async () => {
    const begun = '--b\r\nContent-Disposition: form-data; name="a"; filename="x"\r\n\r\n'
    const refuse = (req, file, done) => done(new Error('filter'))
    const hide = (req, file, done) => setTimeout(() => {
      try {
        done(null, true)
      } catch {} // nothing of `next` reaches the filter
    }, 100)
    for (const [fileFilter, length] of [[hide, begun.length], [refuse, 90e6]]) {
      const upload = ours({ fileFilter }).any()
      const uncaught = nextUncaught()
      const middleware = (req, res, next) => upload(req, res, () => { throw new Error('next') })
      const error = await serve(middleware, (socket) => {
        socket.write(head(length) + begun)
        return Promise.race([uncaught, delay(8000, 'hangs', { ref: false })])
      })
      assert.equal(error.message, 'next')
    }
  })
})
