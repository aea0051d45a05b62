'use strict'

const assert = require('node:assert/strict')
const { EventEmitter, once } = require('node:events')
const fs = require('node:fs')
const os = require('node:os')
const path = require('node:path')
const { Readable, Writable } = require('node:stream')
const { pipeline } = require('node:stream/promises')
const { setTimeout: delay } = require('node:timers/promises')
const { pathToFileURL } = require('node:url')
const zlib = require('node:zlib')
const { createBudget, multipart } = require('../../../')
const { split } = require('../../../tools/http-message')
const { createStorage } = require('../../support/async-storage')
const Clock = require('../../support/clock')
const countAlive = require('../../support/count-alive')
const transferAll = require('../../support/transfer')
const { form, shown, upload } = require('../../support/upload')

const MEGABYTE = 2 ** 20
const big = Buffer.alloc(MEGABYTE, 'abcdefg')
const cutAt = (body, length) => body.subarray(0, length)

describe('multipart.disk', () => {
  let folder
  let store

  beforeEach(() => {
    folder = fs.mkdtempSync(path.join(os.tmpdir(), 'multipart-'))
    store = multipart.disk(path.join(folder, 'a', 'b'))
  })
  afterEach(() => fs.rmSync(folder, { recursive: true, force: true }))

  const left = () => fs.readdirSync(store.directory)
  const openFiles = () => process.platform !== 'linux'
    ? 0
    : fs.readdirSync('/proc/self/fd').filter((fd) => {
      try {
        return fs.readlinkSync(`/proc/self/fd/${fd}`).startsWith(folder)
      } catch { // that of this listing
        return false
      }
    }).length

  /** The error, and what was left behind when `next` was called. */
  async function fault (parser, body, message) {
    let then
    const seen = await upload(parser, body, { ...message, handle: () => { then = [left().length, openFiles()] } })
    return [shown(seen.error), ...then, seen.calls]
  }

  it('creates the directory, and refuses values that are not a path', () => {
    assert.ok(fs.statSync(path.join(folder, 'a', 'b')).isDirectory())
    for (const directory of [undefined, '', 1, null, {}]) {
      assert.throws(() => multipart.disk(directory),
        { name: 'TypeError', message: 'multipart.disk must be given a directory' })
    }
  })

  for (const event of ['close', 'finish']) {
    it(`removes its files at \`${event}\` of the response of an adapter, which may have no other`, async () => {
      const res = new EventEmitter()
      const req = { headers: { 'content-type': 'multipart/form-data; boundary=b' }, body: form(['f', 'text', 'x']) }
      await new Promise((resolve) => multipart({ store, buffered: true })(req, res, resolve))
      assert.equal(left().length, 1)
      res.emit(event)
      while (left().length > 0) await delay(1)
    })
  }

  it('removes each file once, though a response finishes and closes', async () => {
    const { unlink } = fs
    const removed = []
    fs.unlink = (...args) => {
      removed.push(args[0])
      unlink(...args)
    }
    try {
      const res = new EventEmitter()
      const req = { headers: { 'content-type': 'multipart/form-data; boundary=b' }, body: form(['f', 'text', 'x']) }
      await new Promise((resolve) => multipart({ store, buffered: true })(req, res, resolve))
      const { path } = req.files.f[0]
      for (const event of ['finish', 'close']) res.emit(event)
      while (left().length > 0) await delay(1)
      assert.deepEqual(removed, [path])
    } finally {
      fs.unlink = unlink
    }
  })

  it('writes files that only their owner can read, with names that cannot be guessed', async () => {
    const names = []
    await upload(multipart({ store, limit: '4mb' }), form(['f', big, 'x.bin'], ['f', '', 'y']), {
      handle ({ files: { f } }) {
        assert.deepEqual(f.map(({ field, name, type, size }) => ({ field, name, type, size })), [
          { field: 'f', name: 'x.bin', type: 'text/plain', size: MEGABYTE },
          { field: 'f', name: 'y', type: 'text/plain', size: 0 }
        ])
        assert.deepEqual(fs.readFileSync(f[0].path), big)
        assert.equal(fs.readFileSync(f[1].path).length, 0)
        for (const file of f) {
          names.push(path.basename(file.path))
          assert.equal(path.dirname(file.path), store.directory)
          if (process.platform !== 'win32') assert.equal(fs.statSync(file.path).mode & 0o777, 0o600)
        }
        assert.equal(openFiles(), 0)
      }
    })
    assert.equal(new Set(names).size, 2)
    for (const name of names) assert.match(name, /^[0-9a-f]{32}$/)
  })

  it('removes the files when the response is closed', async () => {
    const seen = await upload(multipart({ store }), form(['f', '1', 'x']), {
      handle: () => assert.equal(left().length, 1)
    })
    assert.equal(seen.thrown, undefined)
    while (left().length > 0) await delay(1)
  })

  it('removes the files of a handler that throws', async () => {
    const seen = await upload(multipart({ store }), form(['f', '1', 'x']), { handle () { throw new Error('no') } })
    assert.equal(seen.status, 500)
    while (left().length > 0) await delay(1)
  })

  it('removes the files if the response was closed before they were stored', async () => {
    const seen = await upload((req, res, next) => {
      const parser = multipart({ store })
      parser(req, { writableFinished: true }, next)
    }, form(['f', '1', 'x']))
    assert.equal(seen.files.f.length, 1)
    while (left().length > 0) await delay(1)
  })

  it('keeps a file that was moved', async () => {
    const target = path.join(folder, 'kept')
    const seen = await upload(multipart({ store }), form(['f', '1', 'x'], ['f', '2', 'y']), {
      async handle ({ files: { f } }) {
        await f[0].keep(target)
        assert.equal(f[0].path, target)
      }
    })
    assert.equal(seen.thrown, undefined)
    while (left().length > 0) await delay(1)
    assert.equal(fs.readFileSync(target, 'utf8'), '1')
  })

  for (const [what, isOther] of [['this', false], ['another', true]]) {
    it(`keeps a file at a file: URL on ${what} file system, and shows its path`, async () => {
      const target = path.join(folder, 'a name')
      const { rename } = fs.promises
      fs.promises.rename = async (from, to) => {
        if (isOther && path.dirname(from) === store.directory) throw Object.assign(new Error(), { code: 'EXDEV' })
        return rename(from, to)
      }
      try {
        const seen = await upload(multipart({ store }), form(['f', '1', 'x']), {
          async handle ({ files: { f } }) {
            await f[0].keep(pathToFileURL(target))
            assert.equal(f[0].path, target)
          }
        })
        assert.equal(seen.thrown, undefined)
      } finally {
        fs.promises.rename = rename
      }
      assert.equal(fs.readFileSync(target, 'utf8'), '1')
    })
  }

  it('keeps a file where it is, if the app has moved it itself', async () => {
    const target = path.join(folder, 'moved')
    const seen = await upload(multipart({ store }), form(['f', '1', 'x']), {
      handle: ({ files: { f: [file] } }) => {
        fs.renameSync(file.path, target)
        return file.keep()
      }
    })
    assert.equal(seen.thrown, undefined)
    assert.equal(fs.readFileSync(target, 'utf8'), '1')
    fs.rmSync(target)
  })

  it('removes a file that could not be moved', async () => {
    const seen = await upload(multipart({ store }), form(['f', '1', 'x']), {
      handle: ({ files: { f } }) =>
        f[0].keep(path.join(folder, 'none', 'x')).finally(() => assert.equal(fs.readFileSync(f[0].path, 'utf8'), '1'))
    })
    assert.deepEqual([seen.thrown.code, seen.thrown.syscall], ['ENOENT', 'rename'])
    while (left().length > 0) await delay(1)
  })

  it('keeps a file that could not be moved on', async () => {
    const target = path.join(folder, 'kept')
    await upload(multipart({ store }), form(['f', '1', 'x']), {
      async handle ({ files: { f } }) {
        await f[0].keep(target)
        await assert.rejects(f[0].keep(path.join(folder, 'none', 'x')), { code: 'ENOENT' })
        assert.equal(f[0].path, target)
      }
    })
    while (left().length > 0) await delay(1)
    await delay(10)
    assert.equal(fs.readFileSync(target, 'utf8'), '1')
  })

  it('removes a file that could not be moved before the response was closed', async () => {
    let kept
    await upload(multipart({ store }), form(['f', '1', 'x']), {
      handle ({ files: { f } }, res) {
        res.end()
        kept = once(res, 'close').then(() =>
          assert.rejects(f[0].keep(path.join(folder, 'none', 'x')), { syscall: 'rename' }))
      }
    })
    await kept
    while (left().length > 0) await delay(1)
  })

  for (const isMovable of [true, false]) {
    it(`${isMovable ? 'keeps' : 'removes'} a file whose move ${isMovable ? 'ends' : 'fails'} after the response was closed`, async () => {
      const target = path.join(folder, isMovable ? 'kept' : 'none/x')
      const { rename } = fs.promises
      let move
      let kept
      fs.promises.rename = async (from, to) => {
        await new Promise((resolve) => { move = resolve })
        return rename(from, to)
      }
      try {
        await upload(multipart({ store }), form(['f', '1', 'x']), {
          handle ({ files: { f } }) { kept = Promise.allSettled([f[0].keep(target)]) }
        })
        await delay(10)
        assert.equal(left().length, 1)
        move()
        const [{ reason }] = await kept
        assert.deepEqual([reason?.syscall, left(), fs.existsSync(target)],
          [isMovable ? undefined : 'rename', [], isMovable])
      } finally {
        fs.promises.rename = rename
      }
    })
  }

  describe('copies a file to another file system', () => {
    const { copyFile, rename } = fs.promises
    let target

    beforeEach(() => {
      fs.promises.rename = async (from, to) => {
        if (path.dirname(from) === store.directory) throw Object.assign(new Error(), { code: 'EXDEV' })
        return rename(from, to)
      }
      fs.mkdirSync(path.join(folder, 'other'))
      target = path.join(folder, 'other', 'kept')
      fs.writeFileSync(target, 'before')
    })
    afterEach(() => Object.assign(fs.promises, { copyFile, rename }))

    it('removes it here', async () => {
      const { thrown } = await upload(multipart({ store }), form(['f', '1', 'x']), {
        handle: ({ files: { f } }) => f[0].keep(target)
      })
      assert.deepEqual([thrown, left(), fs.readFileSync(target, 'utf8'), fs.readdirSync(path.dirname(target))],
        [undefined, [], '1', ['kept']])
    })

    it('takes a name of 255 bytes, the most that file systems take', async () => {
      const target = path.join(folder, 'other', 'n'.repeat(255))
      const { thrown } = await upload(multipart({ store }), form(['f', '1', 'x']), {
        handle: ({ files: { f } }) => f[0].keep(target)
      })
      assert.deepEqual([thrown, fs.readFileSync(target, 'utf8')], [undefined, '1'])
    })

    it('moves it on if keep is called again before the first call has ended', async () => {
      const targets = ['one', 'two', 'two'].map((name) => path.join(folder, 'other', name))
      let results
      await upload(multipart({ store }), form(['f', '1', 'x']), {
        async handle ({ files: { f } }) {
          results = await Promise.allSettled(targets.map((target) => f[0].keep(target)))
          assert.equal(f[0].path, targets[1])
        }
      })
      while (left().length > 0) await delay(1)
      assert.deepEqual(results.map(({ status }) => status), ['fulfilled', 'fulfilled', 'fulfilled'])
      assert.deepEqual([fs.readFileSync(targets[1], 'utf8'), fs.readdirSync(path.dirname(target)).sort()],
        ['1', ['kept', 'two']])
    })

    it('leaves the one that is there if it cannot', async () => {
      fs.promises.copyFile = async (from, to) => {
        fs.writeFileSync(to, 'a part')
        throw Object.assign(new Error(), { code: 'ENOSPC' })
      }
      const seen = await upload(multipart({ store }), form(['f', '1', 'x']), {
        handle: ({ files: { f } }) => f[0].keep(target)
      })
      assert.equal(seen.thrown.code, 'ENOSPC')
      while (left().length > 0) await delay(1)
      assert.deepEqual([fs.readFileSync(target, 'utf8'), fs.readdirSync(path.dirname(target))], ['before', ['kept']])
    })
  })

  // [what, names, kept]
  const calls = [
    ['one that fails beside one that does not', ['none/x', 'kept'], true],
    ['one beside one that fails', ['kept', 'none/x'], true],
    ['two that fail', ['none/x', 'none/y'], false]
  ]
  for (const [what, names, isKept] of calls) {
    it(`${isKept ? 'keeps' : 'removes'} a file after calls of keep at a time: ${what}`, async () => {
      const targets = names.map((name) => path.join(folder, name))
      const { rename } = fs.promises
      fs.promises.rename = async (from, to) => { // the first fails before the second has moved the file, or after that
        if (to !== targets[0]) await delay(5)
        return rename(from, to)
      }
      try {
        await upload(multipart({ store }), form(['f', '1', 'x']), {
          handle: ({ files: { f } }) => Promise.allSettled(targets.map((target) => f[0].keep(target)))
        })
      } finally {
        fs.promises.rename = rename
      }
      while (left().length > 0) await delay(1)
      await delay(10)
      assert.equal(fs.existsSync(path.join(folder, 'kept')), isKept)
    })
  }

  const body = form(['a', '1'], ['f', big, 'x'], ['f', big, 'y'])
  // [what, options, body, message, error]
  const faults = [
    ['a file over its limit', { files: { f: { max: 2, size: MEGABYTE / 2 } } }, body, {}, { status: 413, type: 'multipart.file.too.large', limit: MEGABYTE / 2, field: 'f', part: 2 }],
    ['a second file that is refused', { files: { f: {} } }, body, {},
      { status: 413, type: 'multipart.files.too.many', limit: 1, field: 'f', part: 3 }],
    ['a body over the limit', { limit: 1.5 * MEGABYTE }, body, { chunked: true },
      { status: 413, type: 'entity.too.large', limit: 1.5 * MEGABYTE }],
    ['a client that leaves in a file', {}, cutAt(body, MEGABYTE), { cut: true },
      { status: 400, type: 'request.aborted' }],
    ['a client that leaves in a file of a chunked body', {}, cutAt(body, MEGABYTE), { cut: true, chunked: true }, { status: 400, type: 'request.aborted' }],
    ['a client that leaves in the second file', {}, cutAt(body, 1.5 * MEGABYTE), { cut: true },
      { status: 400, type: 'request.aborted' }],
    ['a body that is cut', {}, cutAt(body, 1.5 * MEGABYTE), {},
      { status: 400, type: 'multipart.unterminated', field: 'f', part: 3 }],
    ['a part after a file', {}, form(['f', big, 'y'], ['', 'x']), {},
      { status: 400, type: 'multipart.name.invalid', field: '', part: 2 }],
    ['a schema that refuses the fields',
      { schema: { '~standard': { version: 1, vendor: 'test', validate: () => ({ issues: [{ message: 'no' }] }) } } },
      body, {}, { status: 422, type: 'entity.invalid' }],
    ['a schema that throws',
      { schema: { '~standard': { version: 1, vendor: 'test', async validate () { throw new Error('no') } } } }, body,
      {}, {}],
    ['nesting that is too deep', { extended: true, depth: 1 }, form(['f', '1', 'x'], ['a[b][c]', '1']), {},
      { status: 400, type: 'querystring.parse.rangeError' }]
  ]
  for (const [what, options, body, message, error] of faults) {
    it(`removes all files after ${what}`, async () => {
      assert.deepEqual(await fault(multipart({ limit: '8mb', store, ...options }), body, message), [error, 0, 0, 1])
    })
  }

  for (const [code, status] of [['ENOSPC', 507], ['EDQUOT', 507], ['EIO', 500]]) {
    it(`removes all files after ${code}, and fails with ${status}`, async () => {
      const { writev } = fs
      let calls = 0
      fs.writev = (fd, pieces, done) =>
        ++calls > 1 ? done(Object.assign(new Error(code), { code })) : writev(fd, pieces, done)
      try {
        assert.deepEqual(await fault(multipart({ limit: '8mb', store }), body),
          [{ status, type: 'multipart.store.failed', field: 'f', part: 2 }, 0, 0, 1])
      } finally {
        fs.writev = writev
      }
    })
  }

  it('fails if the last bytes of a file cannot be written', async () => {
    const { writev } = fs
    fs.writev = (fd, pieces, done) => done(new Error('EIO'))
    try {
      assert.deepEqual(await fault(multipart({ store }), form(['f', '1', 'x'])),
        [{ status: 500, type: 'multipart.store.failed', field: 'f', part: 1 }, 0, 0, 1])
    } finally {
      fs.writev = writev
    }
  })

  it('continues after a partial write', async () => {
    const { writev } = fs
    fs.writev = (fd, pieces, done) => fs.write(fd, pieces[0], 0, 1000, null, done)
    try {
      await upload(multipart({ store, limit: '4mb' }), form(['f', big, 'x']), {
        handle: ({ files: { f } }) => assert.deepEqual(fs.readFileSync(f[0].path), big)
      })
    } finally {
      fs.writev = writev
    }
  })

  it('fails with a 500 that shows no path if no file can be opened', async () => {
    fs.rmSync(store.directory, { recursive: true })
    const seen = await upload(multipart({ limit: '8mb', store }), body)
    assert.deepEqual([shown(seen.error), seen.error.code, seen.error.expose],
      [{ status: 500, type: 'multipart.store.failed', field: 'f', part: 2 }, 'ENOENT', false])
  })
})

describe('a store of the app', () => {
  const read = async (file) => {
    const chunks = []
    for await (const chunk of file) chunks.push(chunk)
    return Buffer.concat(chunks).toString()
  }

  it('leaves nothing of the streams that it has read before, however many files a form has', async () => {
    const streams = []
    let alive
    const store = async (file) => {
      streams.push(new WeakRef(file))
      await read(file)
      if (streams.length === 50) alive = await countAlive(streams)
    }
    const { error } = await upload(multipart({ files: { '*': { max: 50 } }, store }),
      form(...Array(50).fill(['f', 'one', 'x'])))
    assert.equal(error, undefined)
    assert.ok(alive < 10, `${alive} streams`)
  })

  it('gets each file as a stream, the fields before it, and a signal', async () => {
    const calls = []
    const store = async (file, { fields, signal }) => {
      calls.push([file.field, file.name, file.folder, file.type, { ...fields }, signal.aborted])
      return read(file)
    }
    const seen = await upload(multipart({ store }),
      form(['a', '1'], ['f', 'one', '/b/c/x', 'a/b'], ['a', '2'], ['g', '', 'y']))
    assert.deepEqual(calls,
      [['f', 'x', 'b/c', 'a/b', { a: '1' }, false], ['g', 'y', '', 'text/plain', { a: ['1', '2'] }, false]])
    assert.deepEqual([seen.body, { ...seen.files }], [{ a: ['1', '2'] }, {
      f: [{ field: 'f', name: 'x', folder: 'b/c', type: 'a/b', size: 3, value: 'one' }],
      g: [{ field: 'g', name: 'y', folder: '', type: 'text/plain', size: 0, value: '' }]
    }])
  })

  for (const coding of ['identity', 'gzip']) {
    it(`may send chunks to a worker with their memory, of a form in ${coding}`, async () => {
      const store = async (file) => (await transferAll(file)).length
      const whole = form(['a', '1'], ['f', big, 'x'], ['b', '2'], ['g', big.subarray(0, 5000), 'y'], ['c', '3'])
      const body = coding === 'gzip' ? zlib.gzipSync(whole, { level: 0 }) : whole
      for (const size of [3001, 60_000, body.length]) {
        const pieces = split(body, Math.ceil(body.length / size))
        const parser = multipart({ files: { '*': { max: 2, size: '2mb' } }, store })
        const seen = await upload(parser, pieces, { headers: { 'Content-Encoding': coding } })
        assert.equal(seen.error, undefined)
        assert.deepEqual({ ...seen.body }, { a: '1', b: '2', c: '3' })
        assert.deepEqual([seen.files.f[0].value, seen.files.g[0].value], [MEGABYTE, 5000])
      }
    })
  }

  it('runs in the async context of the caller', async () => {
    const storage = createStorage()
    const parser = multipart({ store: async (file) => { file.resume(); return storage.getStore() } })
    const seen = await upload((req, res, next) => storage.run('context', () => parser(req, res, next)),
      [form(['f', big, 'x']).subarray(0, 10), form(['f', big, 'x']).subarray(10)].map((piece) => piece),
      { headers: {} }).catch((error) => error)
    assert.equal(seen.error?.type, 'entity.too.large')
    const small = await upload((req, res, next) => storage.run('context', () => parser(req, res, next)),
      form(['f', '1', 'x'], ['f', '2', 'y']))
    assert.deepEqual(small.files.f.map(({ value }) => value), ['context', 'context'])
  })

  // [what, store, values]
  const stores = [
    ['returns no promise', (file) => { file.resume(); return 1 }, [1, 1]],
    ['reads nothing', async () => 'x', ['x', 'x']],
    ['stops reading', async (file) => { for await (const chunk of file) { if (chunk.length > 0) break } return 'x' }, ['x', 'x']],
    ['reads by hand, and stops', async (file) => { await once(file, 'readable'); return file.read(1).length }, [1, 1]],
    ['destroys the stream', async (file) => { file.destroy(); await delay(5); return 'x' }, ['x', 'x']],
    ['destroys the stream with an error, without a listener',
      async (file) => { file.destroy(new Error('no')); await delay(5); return 'x' }, ['x', 'x']],
    ['returns before it has read', (file) => { read(file); return 'x' }, ['x', 'x']],
    ['is slow',
      async (file) => {
        let bytes = 0
        for await (const chunk of file) { bytes += chunk.length; await delay(1) }
        return bytes
      },
      [MEGABYTE, 1]]
  ]
  for (const [what, act, values] of stores) {
    it(`is a function that ${what}`, async () => {
      const seen = await upload(multipart({ limit: '8mb', store: act, timeout: 10_000 }),
        form(['f', big, 'x'], ['f', '1', 'y']))
      assert.deepEqual([seen.error, seen.files.f.map(({ value }) => value), seen.files.f.map(({ size }) => size)],
        [undefined, values, [MEGABYTE, 1]])
    })
  }

  it('delays `next` until its stream is read', async () => {
    const seen = []
    const store = (file) => { read(file).then(({ length }) => seen.push(length)) }
    await upload(multipart({ limit: '8mb', store }), form(['f', big, 'x'], ['f', '1', 'y']),
      { handle: () => seen.push('next') })
    assert.deepEqual(seen, [MEGABYTE, 1, 'next'])
  })

  it('may have paused its stream when it returns', async () => {
    const seen = []
    const store = (file) => {
      file.on('data', () => seen.push('data')).pause()
      setTimeout(() => {
        seen.push('resume')
        file.resume()
      }, 10)
    }
    await upload(multipart({ store }), form(['f', '1', 'x']), { handle: () => seen.push('next') })
    assert.deepEqual(seen, ['resume', 'data', 'next'])
  })

  const full = () => Object.assign(new Error('full'), { status: 507 })
  const unreadable = () => Object.defineProperty(full(), 'stack', { get () { throw new Error('no stack') } })
  // [what, store]
  const failing = [
    ['throws', () => { throw full() }],
    ['rejects', async () => { throw full() }],
    ['rejects after it has read', async (file) => { await read(file); throw full() }],
    ['rejects within the file', async (file) => { await once(file, 'data'); throw full() }],
    ['rejects within the file, and its stack cannot be read',
      async (file) => { await once(file.on('data', () => {}), 'data'); throw unreadable() }]
  ]
  for (const [what, store] of failing) {
    it(`keeps the status of the error if it ${what}`, async () => {
      const seen = await upload(multipart({ limit: '8mb', store }), form(['f', big, 'x']))
      assert.deepEqual([seen.error.message, seen.error.status, seen.calls], ['full', 507, 1])
    })
  }

  it('has its file destroyed if it rejects within it with an error whose stack cannot be read', async () => {
    let file
    const store = async (stream) => {
      file = stream
      await once(file.on('data', () => {}), 'data')
      throw unreadable()
    }
    await upload(multipart({ limit: '8mb', store }), form(['f', big, 'x']))
    assert.equal(file.destroyed, true)
  })

  it('fails with a 500 if it rejects with nothing', async () => {
    // eslint-disable-next-line prefer-promise-reject-errors
    const seen = await upload(multipart({ store: () => Promise.reject() }), form(['f', '1', 'x']))
    assert.equal(seen.error.status, 500)
  })

  // [what, body, message, error]
  const ends = [
    ['a client that leaves', form(['f', big, 'x']).subarray(0, MEGABYTE / 2), { cut: true }, 'request.aborted'],
    ['a limit', form(['f', big, 'x'], ['f', '1', 'y'], ['f', '2', 'z']), {}, 'multipart.files.too.many'],
    ['a body that is cut', form(['f', big, 'x']).subarray(0, MEGABYTE / 2), {}, 'multipart.unterminated']
  ]
  for (const [what, body, message, type] of ends) {
    it(`learns of ${what} from the signal and the stream, and delays next`, async () => {
      const notes = []
      const store = async (file, { signal }) => {
        signal.addEventListener('abort', () => notes.push(`signal ${signal.reason.type}`))
        try {
          return await read(file)
        } catch (error) {
          notes.push(`stream ${error.type}`)
          await delay(10)
          notes.push('cleaned')
          throw error
        }
      }
      const seen = await upload(multipart({ limit: '8mb', files: { f: { max: 2 } }, store }), body, { ...message, handle: () => notes.push('next') })
      assert.equal(seen.error.type, type)
      // The files before the one too many were complete.
      if (type === 'multipart.files.too.many') assert.deepEqual(notes, [`signal ${type}`, `signal ${type}`, 'next'])
      else assert.deepEqual(notes, [`signal ${type}`, `stream ${type}`, 'cleaned', 'next'])
    })
  }

  it('learns of a client that leaves while it works on the whole file', async () => {
    let reason
    const store = async (file, { signal }) => {
      await read(file)
      await once(signal, 'abort')
      reason = signal.reason.type
      throw signal.reason
    }
    const seen = await upload((req, res, next) => {
      multipart({ store })(req, res, next)
      req.once('end', () => req.socket.destroy())
    }, form(['f', '1', 'x']))
    assert.deepEqual([seen.error.type, reason, seen.calls], ['request.aborted', 'request.aborted', 1])
  })

  it('gets no more files once the request has failed', async () => {
    let calls = 0
    const store = async (file, { signal }) => {
      calls++
      file.resume()
      await once(signal, 'abort')
    }
    const seen = await upload(multipart({ timeout: 50, store }), form(['f', '1', 'x'], ['f', '2', 'y']))
    await delay(20)
    assert.deepEqual([seen.error.type, calls], ['request.timeout', 1])
  })

  it('delays `next` by 5 seconds at most after an error', async () => {
    const clock = new Clock()
    // Node.js destroys a stream that was read to its end.
    const store = (file, { signal }) =>
      new Promise(() => signal.addEventListener('abort', () => setImmediate(() => file.resume())))
    const parser = clock.load(() => require('../../../').multipart({ files: { f: { size: 1 } }, store }))
    const ended = upload(parser, form(['f', '12', 'x']))
    while (clock.waits.length === 0) await delay(1)
    assert.deepEqual(clock.waits, [5000])
    const { error } = await clock.passUntil(ended)
    assert.equal(error.type, 'multipart.file.too.large')
  })

  it('pauses the request, so that memory is bounded, and counts in a budget', async () => {
    const budget = createBudget({ bytes: '16mb' })
    let most = 0
    const store = (file) => pipeline(file, new Writable({
      highWaterMark: 1,
      write (chunk, encoding, done) {
        most = Math.max(most, budget.used)
        setImmediate(done)
      }
    }))
    const seen = await upload(multipart({ limit: '64mb', budget, store }),
      form(['f', Buffer.alloc(16 * MEGABYTE), 'x']), { handle: () => { assert.equal(budget.used, 0) } })
    assert.deepEqual([seen.error, seen.thrown], [undefined, undefined])
    assert.ok(most > 0 && most <= MEGABYTE, `${most} bytes`)
  })

  it('does not count discarded bytes in a budget', async () => {
    const budget = createBudget({ bytes: '1mb' })
    const used = []
    const store = async (file) => {
      file.on('data', () => {}).pause()
      await delay(5)
      file.destroy()
      await delay(20)
      used.push(budget.used)
    }
    const seen = await upload(multipart({ budget, store }), form(['f', big.subarray(0, 30_000), 'x'], ['f', '1', 'y']))
    assert.deepEqual([seen.error, used.length], [undefined, 2])
    assert.ok(used[1] < 1000, `${used} bytes`)
  })

  it('counts files in memory in a budget, until next', async () => {
    const budget = createBudget({ bytes: '1mb' })
    let held = 0
    const parser = multipart({ limit: '8mb', budget })
    const seen = await upload(parser,
      [form(['f', big.subarray(100_000), 'x'], ['f', '1', 'y']), Buffer.alloc(0)].flat(),
      { handle: () => { held = budget.used } })
    assert.deepEqual([seen.error, held], [undefined, 0])
    const refused = await upload(parser, form(['f', big, 'x'], ['f', '1', 'y']))
    assert.deepEqual(shown(refused.error), { status: 503, type: 'budget.exceeded' })
    assert.equal(budget.used, 0)
  })

  it('is called for no further file once it has failed the form at the end of one', async () => {
    const body = form(['f', 'one', 'a'], ['g', 'two', 'b'])
    const rest = body.subarray(body.indexOf('one') + 3)
    const headers = { 'content-type': 'multipart/form-data; boundary=b', 'content-length': String(body.length) }
    const req = Object.assign(new Readable({ read () {} }), { headers })
    const names = []
    const store = (file) => {
      names.push(file.name)
      file.on('error', () => {}).on('readable', () => {
        if (file.read() === null) return req.emit('aborted')
        file.read() // asks for more
        req.push(rest)
      })
    }
    const failed = new Promise((resolve) => multipart({ store })(req, {}, resolve))
    req.push(body.subarray(0, -rest.length))
    assert.equal((await failed).type, 'request.aborted')
    assert.deepEqual(names, ['a'])
  })
})
