'use strict'

// The differences that docs/multer.md lists, each with what both do.

const assert = require('node:assert/strict')
const { once } = require('node:events')
const fs = require('node:fs')
const http = require('node:http')
const http2 = require('node:http2')
const net = require('node:net')
const os = require('node:os')
const path = require('node:path')
const { PassThrough } = require('node:stream')
const { pipeline } = require('node:stream')
const { setTimeout: delay } = require('node:timers/promises')
const { HEAD, any, both, field, file, form, ours, part, theirs } = require('../../support/multer-rows')
const { outcomeOf } = require('../../support/multer-outcome')
const { nextUncaught } = require('../../support/uncaught')

const LARGE = 'x'.repeat(300_000)
const engine = (_handleFile, _removeFile = (req, file, done) => done(null), options) =>
  any({ storage: { _handleFile, _removeFile }, ...options })
const only = (make, body, more) => outcomeOf(ours, { make, body, ...more })
const messages = (outcomes) => outcomes.map(({ error }) => error?.message)

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

  it('leaves no file of an engine that listens for no errors', async () => {
    const make = (multer, folder) => multer({ storage: piping(folder) }).any()
    const outcomes = await both({ make, body: file('x', 'a', LARGE) })
    assert.deepEqual(outcomes.map(({ error, left }) => [error.message, left]),
      [['Unexpected end of form', 0], ['Unexpected end of form', 1]])
  })

  it('leaves no file, and no descriptor, of an upload that is cut', async () => {
    const disk = (multer, folder) => multer.diskStorage({ destination: folder })
    const wrapped = (multer, folder) => {
      const storage = disk(multer, folder)
      return {
        _handleFile: (...args) => storage._handleFile(...args),
        _removeFile: (...args) => storage._removeFile(...args)
      }
    }
    for (const storageOf of [disk, wrapped, (multer, folder) => piping(folder)]) {
      const make = (multer, folder) => multer({ storage: storageOf(multer, folder) }).any()
      const seen = await only(make, [file('x'), file('y', 'a', LARGE)], { cut: true })
      assert.deepEqual(seen.error, { name: 'Error', message: 'Request aborted', storageErrors: [] })
      assert.deepEqual([seen.status, seen.left, seen.calls], [400, 0, 1])
    }
  })

  it('tells engines that listen for errors of their stream of those of others', async () => {
    const errors = []
    const make = engine((req, file, done) => pipeline(file.stream, new PassThrough().resume(), (error) => {
      errors.push(error?.message)
      done(error, {})
    }))
    await only(make, file('x', 'a', LARGE))
    assert.deepEqual(errors, ['Unexpected end of form'])
  })

  it('ends with an error of the app\'s functions that throw or reject, where multer ends the process, or hangs',
    async () => {
      const fail = () => { throw new Error('F') }
      const reject = async () => { throw new Error('F') }
      // eslint-disable-next-line prefer-promise-reject-errors
      const nothing = await only(any({ fileFilter: () => Promise.reject() }), form(file('x')))
      assert.equal(nothing.status, 500)
      for (const act of [fail, reject]) {
        for (const make of [
          any({ fileFilter: act }),
          engine(act),
          (multer) => multer({ storage: multer.diskStorage({ destination: act }) }).any()
        ]) {
          assert.equal((await only(make, form(field('a'), file('x')))).error.message, 'F')
        }
      }
      const remove = engine(
        (req, file, done) => file.stream.resume().on('end', () => done(file.fieldname === 'y' && new Error('E'))),
        fail
      )
      assert.deepEqual((await only(remove, form(file('x'), file('y')))).error.storageErrors, ['F'])
      assert.match((await only(any({ storage: {} }), form(file('x')))).error.message, /_handleFile/)
      assert.match(
        (await only(
          (multer) => multer({ storage: multer.diskStorage({ filename: (req, file, done) => done() }) }).any(),
          form(file('x'))
        )).error.message,
        /must be of type string/
      )
    })

  it('ends with an error of a name or directory that comes late, and is wrong, where multer ends the process', async () => {
    const late = (...args) => (req, file, done) => setTimeout(done, 5, ...args)
    const fail = () => { throw new Error('F') }
    for (const [destination, filename, message] of [
      [(folder) => (req, file, done) => done(null, folder), async () => fail(), /^F$/],
      [(folder) => late(null, folder), fail, /^F$/],
      [(folder) => folder, late(null, undefined), /must be of type string/],
      [() => late(null, undefined), undefined, /must be of type string/],
      [(folder) => folder, (req, file, done) => { done(new Error('F')); fail() }, /^F$/]
    ]) {
      for (const storageOf of [(storage) => storage, wrap]) {
        const make = (multer, folder) =>
          multer({ storage: storageOf(multer.diskStorage({ destination: destination(folder), filename })) }).any()
        const { calls, error, files, left, status } = await only(make, form(file('x')))
        assert.deepEqual([calls, files, left], [1, [], 0])
        assert.match(error.message, message)
        assert.ok(status === 500 || status === undefined)
      }
    }
  })

  it('stores a file once if its name or directory is reported twice, or before an error', async () => {
    const twice = (value) => (req, file, done) => { done(null, value); done(null, 'other'); throw new Error('F') }
    const later = (value) => (req, file, done) => setTimeout(() => { done(null, value); done(new Error('F')) }, 5)
    for (const report of [twice, later]) {
      for (const storageOf of [(storage) => storage, wrap]) {
        const make = (multer, folder) =>
          multer({
            storage: storageOf(multer.diskStorage({ destination: report(folder), filename: report('name') }))
          }).any()
        const { calls, error, files, left } = await only(make, form(file('x')))
        assert.deepEqual([calls, error, files.map(({ path }) => path), left], [1, undefined, ['<folder>/name'], 1])
      }
    }
  })

  it('takes the first call of a callback alone', async () => {
    const filter = any({ fileFilter: (req, file, done) => { done(null, true); done(new Error('2')) } })
    const engines = engine((req, file, done) =>
      file.stream.resume().on('end', () => { done(null, {}); done(new Error('2')) }))
    assert.deepEqual(messages(await both({ make: filter, body: form(file('x')) })), [undefined, '2'])
    assert.deepEqual(messages(await both({ make: engines, body: form(file('x')) })), [undefined, '2'])
  })

  it('ends with an error of the file system for a name of the client\'s that it does not take', async () => {
    const body = form(part(`${HEAD}"x"; filename*=utf-8''a%00b`))
    for (const act of [(done, name) => done(null, name), (done, name) => setTimeout(done, 1, null, name)]) {
      const make = (multer, destination) =>
        multer({
          storage: multer.diskStorage({ destination, filename: (req, file, done) => act(done, file.originalname) })
        }).any()
      const { calls, error, left } = await only(make, body)
      assert.deepEqual([calls, error.code, left], [1, 'ERR_INVALID_ARG_VALUE', 0])
    }
  })

  it('goes on with an engine that calls back and reads nothing, where multer hangs', async () => {
    for (const text of ['hi', LARGE]) {
      const outcomes = await both({
        make: engine((req, file, done) => done(null, { a: 1 })),
        body: form(file('x', 'a', text), field('b'))
      })
      assert.deepEqual(outcomes.map(({ files, hangs }) => files?.[0].a ?? hangs), [1, true])
    }
  })

  it('makes an Error of what an engine reports, if it is none', async () => {
    const outcomes = await both({ make: engine((req, file, done) => done('E')), body: form(file('x')) })
    assert.deepEqual(outcomes.map(({ error }) => error.thrown ?? error.message), ['E', 'E'])
  })

  it('bears an error of the app that cannot be changed', async () => {
    const error = Object.freeze(new Error('frozen'))
    const seen = await only(any({ fileFilter: (req, file, done) => done(error) }), form(file('x')))
    assert.deepEqual(seen.error, { name: 'Error', message: 'frozen' })
  })

  it('bears errors of the app that cannot be read', async () => {
    const { proxy, revoke } = Proxy.revocable(new Error('revoked'), {})
    revoke()
    const fail = () => { throw new Error('trap') }
    const unreadable = (name) => Object.defineProperty(new Error('getter'), name, { get: fail })
    const traps = new Proxy(new Error('proxy'), { get: fail, has: fail, getOwnPropertyDescriptor: fail })
    for (const error of [unreadable('type'), unreadable('stack'), unreadable('status'), traps, proxy]) {
      const rows = [
        any({ fileFilter: (req, file, done) => setTimeout(done, 5, error) }),
        engine((req, file, done) => file.stream.on('error', () => {}).on('data', () => {}) && done(error))
      ]
      for (const makeUpload of rows) {
        const seen = []
        const make = (multer) => (req, res, next) => makeUpload(multer)(req, res, (error) => {
          seen.push(error)
          next()
        })
        await only(make, form(file('x', 'a', LARGE)))
        assert.ok(seen.length === 1 && seen[0] === error)
      }
    }
  })

  it('bears an app that replaces or forbids what it sets', async () => {
    const acts = {
      'no files': (req) => { req.files = undefined },
      'other files': (req) => { req.files = { x: {} } },
      'frozen files': ({ files }) => Object.freeze(files),
      'frozen lists': ({ files }) => Object.values(files ?? {}).forEach(Object.freeze),
      'no file': (req) => Object.defineProperty(req, 'file', { get () {} })
    }
    const routes = [
      (upload) => upload.any(),
      (upload) => upload.single('x'),
      (upload) => upload.fields([{ name: 'x' }])
    ]
    for (const act of Object.values(acts)) {
      for (const open of routes) {
        for (const outcome of [[null, true], [null, false], [new Error('filter')]]) {
          const fileFilter = (req, file, done) => setTimeout(() => { act(req); done(...outcome) }, 5)
          const { calls, error } = await only((multer) => open(multer({ fileFilter })), form(file('x')))
          assert.deepEqual([calls, error?.message], [1, outcome[0]?.message])
        }
      }
    }
  })

  it('bears an app that has frozen a file of a form that fails', async () => {
    const fileFilter = (req, { fieldname }, done) => {
      if (fieldname === 'x') return done(null, true)
      Object.freeze(req.files[0])
      done(new Error('filter'))
    }
    const { calls, error } = await only(any({ fileFilter }), form(file('x'), file('y')))
    assert.deepEqual([calls, error.message], [1, 'filter'])
  })

  const NAMES = ['field', 'name', 'folder', 'type', 'fieldname', 'originalname', 'stream', 'path', 'size', 'buffer']
  for (const name of NAMES) {
    it(`bears an app whose filter puts a getter ${name} on a file that throws, be it while engines are busy`, async () => {
      const fileFilter = (req, file, done) => {
        const get = () => { throw new Error('getter') }
        if (file.fieldname === 'y') Object.defineProperty(file, name, { get, configurable: true, enumerable: false })
        done(null, true)
      }
      const slow = {
        _handleFile (req, file, done) {
          file.stream.resume().on('end', () => setTimeout(done, 5, null, { size: 2 }))
          Object.defineProperty(file, 'fieldname', { get: () => { throw new Error('later') }, enumerable: false })
        },
        _removeFile: (req, file, done) => done(new Error('removal'))
      }
      const body = file('x') + file('y')
      for (const text of [`${body}--b--\r\n`, body + field('z'), `${body}${file('z', 'z', LARGE)}--b--\r\n`]) {
        for (const options of [{}, { storage: slow }]) {
          for (const make of [any, (more) => (multer, dest) => multer({ dest, ...more }).any()]) {
            const seen = await only(make({ fileFilter, limits: { fileSize: 1000 }, ...options }), [text])
            assert.deepEqual([seen.calls, seen.error === undefined || seen.left], [1, seen.error === undefined || 0])
          }
        }
      }
    })
  }

  const reasons = {
    'has a method then': { then () {} },
    'has a getter then that throws': { get then () { throw new Error('then') } }
  }
  for (const [what, reason] of Object.entries(reasons)) {
    it(`bears an engine whose report of a removal ${what}`, async () => {
      const handle = (req, file, done) => file.stream.resume().on('end', () => done(null, {}))
      const seen = await only(engine(handle, (req, file, done) => done(reason), { limits: { files: 1 } }),
        form(file('x'), file('y')))
      assert.deepEqual([seen.error.code, seen.error.storageErrors.length, seen.calls], ['LIMIT_FILE_COUNT', 1, 1])
    })
  }

  it('bears an engine whose methods cannot be read', async () => {
    const get = () => { throw new Error('engine') }
    const storage = Object.create(null, { _handleFile: { get }, _removeFile: { get } })
    const { error, calls } = await only(any({ storage }), form(file('x'), file('y')))
    assert.deepEqual([error.message, calls], ['engine', 1])
  })

  it('removes what an engine has stored of a file that does not take what it reports', async () => {
    const make = (multer, folder) => {
      const { _handleFile, _removeFile } = piping(folder)
      const handle = (req, file, done) => _handleFile(req, Object.defineProperty(file, 'size', { get () {} }), done)
      return multer({ storage: { _handleFile: handle, _removeFile } }).any()
    }
    const { error, left, calls } = await only(make, form(file('x')))
    assert.deepEqual([error.name, left, calls], ['TypeError', 0, 1])
  })

  it('keeps the place of a file in a copy of the list', async () => {
    const fileFilter = (req, file, done) => {
      req.files = [...req.files]
      done(null, true)
    }
    const { files } = await only(any({ fileFilter }), form(file('x'), file('y')))
    assert.deepEqual(files.map(({ fieldname, size }) => [fieldname, size]), [['x', 2], ['y', 2]])
  })

  it('ignores functions of the app that report after the form has failed', async () => {
    let filterDone, engineDone
    const make = (multer) => multer({
      timeout: 20,
      fileFilter: (req, file, done) => { if (file.fieldname === 'x') done(null, true); else filterDone = done },
      storage: {
        _handleFile: (req, file, done) => file.stream.on('error', () => {}).resume() && (engineDone = done),
        _removeFile: (req, file, done) => done(null)
      }
    }).any()
    const wait = setTimeout(() => {
      engineDone(null, {})
      filterDone(null, true)
    }, 200)
    const seen = await only(make, form(file('x'), file('y')))
    clearTimeout(wait)
    assert.deepEqual([seen.calls, seen.status], [1, 408])
  })

  it('asks a filter about one file after the other', async () => {
    const make = (multer) =>
      multer({ fileFilter: (req, file, done) => setTimeout(done, 5, null, file.originalname !== 'n') }).single('x')
    const outcomes = await both({ make, body: form(file('x', 'n'), file('x')) })
    assert.deepEqual(outcomes.map(({ file, error }) => file?.originalname ?? error.code),
      ['a.txt', 'LIMIT_UNEXPECTED_FILE'])
  })

  it('shows what came before an error alone', async () => {
    const outcomes = await both({
      make: any({ limits: { fileSize: 1 } }),
      body: form(field('a'), file('x'), field('b'))
    })
    assert.deepEqual(outcomes.map(({ body }) => Object.keys(body)), [['<null>', 'a'], ['<null>', 'a', 'b']])
    for (const parts of [0, 1]) {
      const counted = await both({
        make: any({ limits: { parts } }),
        body: form(field('a'), part(`${HEAD}"x"; filename=""\r\nContent-Type: application/octet-stream`, ''),
          field('b'))
      })
      assert.deepEqual(counted.map(({ error }) => error.code), ['LIMIT_PART_COUNT', 'LIMIT_PART_COUNT'])
      assert.equal(Object.keys(counted[0].body).length, 1 + parts)
    }
  })

  it('holds a streamHandler to a budget', async () => {
    const { createBudget } = require('../../../')
    const make = (multer) =>
      multer({ budget: createBudget({ bytes: 1000 }), streamHandler: (req, stream) => req.pipe(stream) }).any()
    const seen = await only(make, form(file('x', 'a', LARGE)))
    assert.ok(seen.status >= 400)
  })

  it('keeps a line of a value that begins with the boundary', async () => {
    const outcomes = await both({ make: any(), body: form(field('a', '1\r\n--bx\r\n2')) })
    assert.deepEqual(outcomes.map(({ body }) => body.a), ['1\r\n--bx\r\n2', '1'])
    const blank = await both({ make: any(), body: form(field('a'), field('c').replace('--b', '--b ')) })
    assert.deepEqual(blank.map(({ body }) => body.c), ['1', undefined])
  })

  it('decodes the charsets of the Encoding Standard, where multer loses the value', async () => {
    for (const charset of ['gbk', 'iso-8859-15', 'utf-16be']) {
      const outcomes = await both({
        make: any(),
        body: form(part(`${HEAD}a\r\nContent-Type: text/plain; charset=${charset}`, '\0a'))
      })
      assert.deepEqual(outcomes.map(({ body }) => body.a), [charset === 'utf-16be' ? 'a' : '\0a', '<undefined>'])
    }
    const names = await both({ make: any({ defParamCharset: 'gbk' }), body: form(field('a')) })
    assert.deepEqual(names.map(({ body }) => body.a), ['1', undefined])
  })

  it('refuses a value that no array has room for, and copies few entries of a sparse one, where multer hangs', async () => {
    const outcomes = await both({ make: any(), body: form(field('a[4294967294]'), field('a[]')) })
    assert.deepEqual(outcomes.map(({ error }) => [error.code, error.field]),
      Array(2).fill(['INVALID_FIELD_NAME', 'a[]']))
    const copied = await only(any(), form(field('a[4294967294]'), field('a[b]')))
    assert.deepEqual(copied.body.a, { '<null>': true, 4294967294: '1', b: '1' })
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

  it('decodes names as latin1 by default, as multer does, and as UTF-8 if told so', async () => {
    const body = form(file('x', 'é€.txt'))
    const nameOf = ({ files: [{ originalname }] }) => originalname
    const [first, second] = (await both({ make: any(), body })).map(nameOf)
    assert.equal(first, second)
    assert.equal(Buffer.from(first, 'latin1').toString(), 'é€.txt')
    assert.deepEqual((await both({ make: any({ defParamCharset: 'utf8' }), body })).map(nameOf), ['é€.txt', 'é€.txt'])
    assert.notEqual(Buffer.from('é€.txt', 'latin1').toString(), 'é€.txt')
  })
})

describe('multer, clients that leave', () => {
  async function serve (middleware, act) {
    const seen = []
    let report
    const called = new Promise((resolve) => { report = resolve })
    const server = http.createServer((req, res) => middleware(req, res, (error) => {
      seen.push(error)
      res.end()
      report(error)
    }))
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    const socket = net.connect(server.address().port, '127.0.0.1').on('error', () => {}).resume()
    try {
      return await act(socket, () => Promise.race([called, delay(8000, 'hangs', { ref: false })]), seen)
    } finally {
      socket.destroy()
      server.close()
      server.closeAllConnections()
    }
  }
  const head = (length) => `POST / HTTP/1.1\r\nHost: a\r\nContent-Type: multipart/form-data; boundary=b\r\nContent-Length: ${length}\r\n\r\n`
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
      const error = await serve(ours({ ...options, timeout: 20 }).any(), (socket, next) => {
        socket.write(head(whole.length) + whole)
        return next()
      })
      assert.deepEqual([error.status, error.type], [408, 'request.timeout'])
    }
  })

  it('that stop in the middle are told to go after a timeout, and leave no file', async () => {
    const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'multer-timeout-'))
    const error = await serve(ours({ dest: folder, timeout: 20 }).any(), (socket, next) => {
      socket.write(head(whole.length) + whole.slice(0, -10))
      return next()
    })
    assert.equal(error.status, 408)
    assert.deepEqual(fs.readdirSync(folder), [])
    fs.rmSync(folder, { recursive: true })
  })

  it('may be read by a streamHandler that takes all listeners of its stream away, where multer ends the process', async () => {
    const streamHandler = (req, stream) => stream.removeAllListeners().destroy(new Error('destroyed'))
    const { error, calls } = await only(any({ streamHandler }), form(field('a')))
    assert.deepEqual([error.message, calls], ['destroyed', 1])
  })

  it('may be streams that are destroyed while a streamHandler reads them', async () => {
    for (const [reason, message] of [[undefined, 'Request aborted'], [new Error('E'), 'E']]) {
      const req = Object.assign(new PassThrough(), {
        headers: { 'content-type': 'multipart/form-data; boundary=b', 'content-length': '1000' }
      })
      const called = new Promise((resolve) =>
        ours({ streamHandler: (req, stream) => req.pipe(stream) }).any()(req, {}, resolve))
      req.write('--b\r\n')
      req.destroy(reason)
      const error = await Promise.race([called, delay(8000, 'hangs', { ref: false })])
      assert.equal(error.message, message)
    }
  })

  it('may be requests over HTTP/2 that are destroyed while a streamHandler reads them', async () => {
    const upload = ours({ streamHandler: (req, stream) => req.pipe(stream) }).any()
    const server = http2.createServer()
    const called = new Promise((resolve) => server.on('request', (req, res) => {
      upload(req, res, resolve)
      req.on('error', () => {}).once('data', () => req.destroy())
    }))
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    const session = http2.connect(`http://127.0.0.1:${server.address().port}`).on('error', () => {})
    const stream = session.request({
      ':method': 'POST',
      'content-type': 'multipart/form-data; boundary=b',
      'content-length': 1000
    })
    stream.on('error', () => {}).write('--b\r\n')
    const error = await Promise.race([called, delay(8000, 'hangs', { ref: false })])
    session.destroy()
    server.close()
    assert.equal(error.message, 'Request aborted')
  })

  it('do not hide what next throws', async () => {
    const begun = '--b\r\nContent-Disposition: form-data; name="a"; filename="x"\r\n\r\n'
    const refuse = (req, file, done) => done(new Error('filter'))
    const hide = (req, file, done) => setTimeout(() => {
      try {
        done(null, true)
      } catch {} // nothing of `next` reaches the filter
    }, 100)
    const rows = [
      [(req, file, done) => setTimeout(done, 100, null, true), begun.length],
      [hide, begun.length],
      [refuse, 90e6],
      [() => { throw new Error('filter') }, 90e6]
    ]
    for (const [fileFilter, length] of rows) {
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

  it('may be streams that are no requests', async () => {
    for (const multer of [ours, theirs]) {
      const req = Object.assign(new PassThrough(), {
        headers: { 'content-type': 'multipart/form-data; boundary=b', 'content-length': String(whole.length) }
      })
      const error = await new Promise((resolve) => {
        multer().single('x')(req, null, resolve)
        req.end(whole)
      })
      assert.equal(error ?? undefined, undefined)
      assert.deepEqual([req.body.a, req.file.size], ['1', 2])
    }
  })
})
