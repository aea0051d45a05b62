'use strict'

// Filters and storage engines.

const assert = require('node:assert/strict')
const fs = require('node:fs')
const os = require('node:os')
const path = require('node:path')
const { PassThrough, Readable } = require('node:stream')
const { mock } = require('node:test')
const { createBudget } = require('../../../')
const useFolder = require('../../support/folder')
const { outcomeOf } = require('../../support/multer-outcome')
const { agree, agreed, any, both, field, file, form, noting, ours, theirs } = require('../../support/multer-rows')
const useReplacements = require('../../support/replace')
const { flushing } = require('../../support/where')

const read = (file, then) => {
  let text = ''
  file.stream.on('data', (chunk) => { text += chunk }).on('end', () => then(text))
}
const engine = (_handleFile, _removeFile = (req, file, done) => done(null), options) =>
  any({ storage: { _handleFile, _removeFile }, ...options })
const filtered = (fileFilter, options) => ({ fileFilter, ...options })
const late = (value) => (req, file, done) => setTimeout(done, 5, ...value)
const LARGE = 'x'.repeat(300_000)

describe('multer: fileFilter', () => {
  agree({
    'leaves a file out that is over a limit': [
      form(field('a'), file('x'), field('b')),
      filtered((req, file, done) => done(null, false), { limits: { fileSize: 1 } })
    ],
    'leaves out what it says nothing of': [form(file('x')), filtered((req, file, done) => done())],
    'leaves files out that do not count for a route': [
      form(file('x', 'n'), file('x')),
      (multer) => multer({ fileFilter: (req, file, done) => done(null, file.originalname !== 'n') }).single('x')
    ],
    'leaves files out that count for a limit': [
      form(file('x'), file('x')),
      filtered((req, file, done) => done(null, false), { limits: { files: 1 } })
    ],
    'leaves no empty arrays': [
      form(file('x')), (multer) => multer({ fileFilter: (req, file, done) => done(null, false) }).fields([{ name: 'x' }])
    ],
    'refuses a file': [form(field('a'), file('x')), filtered((req, file, done) => done(new Error('no')))],
    'refuses a file by a string': [form(file('x')), filtered((req, file, done) => done('no'))],
    'takes files later': [form(file('x'), file('y', 'b', LARGE), field('a')), filtered(late([null, true]))],
    'sees the fields before, and the file': [
      form(field('a'), file('x')),
      filtered((req, file, done) =>
        done(new Error(JSON.stringify([req.body, file, Object.getOwnPropertyNames(file), req.files]))))
    ]
  })

  it('is asked after the route', async () => {
    const asked = []
    const make = (multer) =>
      multer({ fileFilter: (req, file, done) => { asked.push(file.fieldname); done(null, true) } }).single('x')
    await agreed({ body: form(file('y')), make })
    assert.deepEqual(asked, [])
  })

  it('stores no file of a request that it has destroyed, and asks for no place', async () => {
    const make = (multer, folder) => multer({
      fileFilter: (req, file, done) => { req.destroy(); done(null, true) },
      storage: multer.diskStorage({ destination: (req, file, done) => { req.body.isAsked = true; done(null, folder) } })
    }).any()
    for (const { body, error, left } of await both({ body: form(field('a'), file('x')), make })) {
      assert.deepEqual([body, error.message, left], [{ '<null>': true, a: '1' }, 'Request aborted', 0])
    }
  })
})

describe('multer: storage engines', () => {
  agree({
    'give what the file has': [
      form(file('x')),
      engine((req, file, done) =>
        read(file, (text) => done(null, { text, size: 9, fieldname: 'other', extra: { a: 1 } })))
    ],
    'give nothing': [form(file('x')), engine((req, file, done) => read(file, () => done()))],
    fail: [form(field('a'), file('x')), engine((req, file, done) => done(new Error('E')))],
    'see the fields before, and the file': [form(field('a'), file('x')), engine((req, file, done) => {
      const { enumerable, configurable, writable } = Object.getOwnPropertyDescriptor(file, 'stream')
      done(new Error(JSON.stringify([
        req.body, file, Object.getOwnPropertyNames(file), req.files, enumerable, configurable, writable,
        file.stream.truncated
      ])))
    })],
    'remove what they have stored when another file fails': [form(file('x'), file('y')), engine(
      (req, file, done) => read(file, () => file.fieldname === 'y' ? done(new Error('E')) : done(null, { key: 1 })),
      (req, file, done) => {
        req.body.removed = file
        done(null)
      }
    )],
    'fail to remove': [
      form(file('x'), file('x'), file('y')),
      engine((req, file, done) => read(file, () => file.fieldname === 'y' ? done(new Error('E')) : done(null, {})),
        (req, file, done) => done(new Error('R')))
    ],
    'end while a filter looks at the next file': [form(file('x'), file('y', 'b', LARGE)), engine(
      (req, file, done) => read(file, ({ length }) => setTimeout(done, 10, null, { length })),
      undefined,
      { fileFilter: (req, file, done) => setTimeout(done, file.fieldname === 'y' ? 40 : 0, null, true) }
    )]
  })

  it('are held to a budget by what they have not read', async () => {
    const text = 'x'.repeat(200_000)
    for (const [count, bytes, isOver] of [[1, 300_000, false], [2, 300_000, true], [2, 500_000, false]]) {
      const make = (multer) => {
        const files = []
        const handle = (req, file, done) => {
          files.push([file, done])
          if (files.length < count) return
          const readAll = () => { for (const [file, done] of files) read(file, () => done()) }
          setTimeout(readAll, isOver ? 500 : 50) // then the error has to come first
        }
        return engine(handle, undefined, { budget: createBudget({ bytes }) })(multer)
      }
      const { error } = await outcomeOf(ours, { body: form(...Array(count).fill(file('x', 'a', text))), make })
      assert.equal(error !== undefined, isOver)
    }
  })

  it('of memory, and fields, are held to a budget by all that they have read', async () => {
    const text = 'x'.repeat(60_000)
    for (const part of [file('x', 'a', text), field('a', text)]) {
      const make = any({ budget: createBudget({ bytes: 200_000 }) })
      for (const [count, status] of [[2, undefined], [5, 503]]) {
        const body = [...Array(count).fill(part), form()]
        assert.equal((await outcomeOf(ours, { body, make })).status, status, `${count} parts`)
      }
    }
  })

  it('are told of a limit by the end of the stream, and get no more bytes of it, where multer gives one more', async () => {
    const seen = []
    const make = engine(
      (req, { stream }, done) => {
        stream.on('error', ({ message }) => seen.push(message))
        read({ stream }, ({ length }) => {
          seen.push(length, stream.truncated)
          done(null, {})
        })
      },
      undefined,
      { limits: { fileSize: 200_000 } }
    )
    for (const multer of [ours, theirs]) {
      const { error } = await outcomeOf(multer, { body: form(file('x', 'a', LARGE)), make })
      assert.equal(error.code, 'LIMIT_FILE_SIZE')
    }
    assert.deepEqual(seen, [200_000, true, 200_001, true])
  })

  it('have no stream once the file is stored', async () => {
    const make = noting(engine((req, file, done) => read(file, () => done(null, {}))), (req) => {
      req.body.names = Object.getOwnPropertyNames(req.files[0])
    })
    await agreed({ body: form(file('x')), make })
  })

  it('store files at the same time, at most 16', async () => {
    for (const count of [4, 40]) {
      let active = 0
      const make = noting(engine((req, file, done) => {
        req.body.most = Math.max(req.body.most ?? 0, ++active)
        read(file, () => setTimeout(() => {
          active--
          done(null, {})
        }, 5))
      }), () => assert.equal(active, 0))
      const body = form(...Array(count).fill(file('x')))
      const most = []
      for (const multer of [ours, theirs]) most.push((await outcomeOf(multer, { body, make })).body.most)
      assert.deepEqual(most, [Math.min(count, 16), count])
    }
  })

  const wrap = (storage) => ({
    _handleFile: (...args) => storage._handleFile(...args),
    _removeFile: (...args) => storage._removeFile(...args)
  })
  const memory = (multer) => wrap(multer.memoryStorage())
  const disk = (multer, destination) => wrap(multer.diskStorage({ destination, flush: true }))
  const missing = (multer, folder) =>
    wrap(multer.diskStorage({ destination: (req, file, done) => done(null, `${folder}/none`) }))
  const unnamed = (multer) => wrap(multer.diskStorage({ filename: (req, file, done) => done(new Error('N')) }))
  const other = [require('multer'), require('../../../lib/types/multer')]
  const foreign = (kind) => (multer, destination) => other.find((each) => each !== multer)[kind]({ destination })
  // [what, storage, options, error]
  const wrapped = [
    ['wrap that of memory, and remove from it', memory, { limits: { fileSize: 1000 } }, 'File too large'],
    ['wrap that of the disk', disk, {}],
    ['wrap that of the disk, and remove from it', disk, { limits: { fileSize: 1000 } }, 'File too large'],
    ['wrap that of the disk, whose folder is missing', missing, {}, /ENOENT/],
    ['wrap that of the disk, whose name fails', unnamed, {}, 'N'],
    ['be that of the disk, of the other package', foreign('diskStorage'), {}]
  ]
  for (const [what, storageOf, options, error] of wrapped) {
    it(`may ${what}`, async () => {
      const body = form(file('x'), file('y', 'b', LARGE))
      const make = (multer, folder) => multer({ storage: storageOf(multer, folder), ...options }).any()
      const [seen, expected] = await both({ body, make })
      for (const message of [seen.error?.message, expected.error?.message]) {
        if (error instanceof RegExp) assert.match(message, error)
        else assert.equal(message, error)
      }
      if (error === undefined) assert.deepEqual(seen, expected)
      else assert.equal(seen.left, 0)
    })
  }

  it('may replace a method of those of multer', async () => {
    for (const kind of ['memoryStorage', 'diskStorage']) {
      const make = (multer, folder) => {
        const storage = multer[kind]({ destination: folder })
        const { _handleFile } = storage
        storage._handleFile = (req, file, done) =>
          _handleFile.call(storage, req, file, (error, info) => done(error, { size: info.size, mine: 1 }))
        return multer({ storage }).any()
      }
      const seen = await agreed({ body: form(file('x')), make })
      assert.deepEqual(seen.files[0].mine, 1)
    }
  })

  it('may replace how those of multer remove a file', async () => {
    const make = (multer) => {
      const storage = multer.memoryStorage()
      storage._removeFile = (req, file, done) => {
        req.body.removed = file.fieldname
        done(null)
      }
      return multer({
        storage,
        fileFilter: (req, file, done) => done(file.fieldname === 'y' && new Error('E'), true)
      }).any()
    }
    const { body } = await agreed({ body: form(file('x'), file('y')), make })
    assert.equal(body.removed, 'x')
  })

  it('may give those of multer a stream that fails', async () => {
    const stream = new PassThrough()
    const failed = new Promise((resolve) => ours.memoryStorage()._handleFile({}, { stream }, resolve))
    stream.destroy(new Error('E'))
    assert.equal((await failed).message, 'E')
  })

  describe('of multer, in a folder,', () => {
    const folder = useFolder()

    const handle = (filename, flush) => new Promise((resolve) => {
      const storage = ours.diskStorage({
        destination: folder.at(),
        filename: (req, file, done) => done(null, filename),
        flush
      })
      storage._handleFile({}, { stream: Readable.from([Buffer.from('hi')]) }, resolve)
    })

    flushing.it('may have a file flushed', async () => {
      const flushed = []
      for (const flush of [true, false]) {
        const fsync = mock.method(fs, 'fsync')
        assert.equal(await handle('x', flush), null)
        flushed.push(fsync.mock.callCount())
        fsync.mock.restore()
      }
      assert.deepEqual(flushed, [1, 0])
    })

    it('lose no file that could not be opened', async function () {
      if (process.platform === 'win32') this.skip() // symbolic links need rights there
      fs.symlinkSync('loop', folder.at('loop'))
      assert.equal((await handle('loop')).code, 'ELOOP')
      assert.deepEqual(folder.names(), ['loop'])
    })
  })
})

describe('multer: files of a form that fails', () => {
  const replace = useReplacements()
  const slow = () => ({
    _handleFile: (req, file, done) =>
      file.stream.on('error', done) && read(file, (text) => setTimeout(done, 50, null, { text })),
    _removeFile: (req, file, done) => done(null)
  })
  const routes = {
    any: (upload) => upload.any(),
    fields: (upload) => upload.fields([{ name: 'x' }]),
    single: (upload) => upload.single('x')
  }
  for (const [name, open] of Object.entries(routes)) {
    const files = name === 'single' ? file('x') : file('x') + file('x')
    const make = (storageOf, options) => (multer, folder) =>
      open(multer({ storage: storageOf(multer, folder), ...options }))
    agree({
      [`${name}: with an engine at work`]: [form(files, field('a')), make(slow, { limits: { fields: 0 } })],
      [`${name}: within a file of an engine`]: [(files + file('x')).slice(0, -3), make(slow)],
      [`${name}: over a limit of an engine`]: [form(file('x', 'a', LARGE)), make(slow, { limits: { fileSize: 10 } })]
    })
  }

  it('are named by the errors of their removal, if those can be changed', async () => {
    const frozen = Object.freeze(new Error('frozen'))
    let storageErrors
    const make = noting(engine(
      (req, file, done) => read(file, () => done(file.fieldname === 'z' && new Error('E'), {})),
      (req, file, done) => done(file.fieldname === 'x' ? new Error('R') : frozen)
    ), (req, error) => { storageErrors = error.storageErrors })
    await outcomeOf(ours, { body: form(file('x'), file('y'), file('z')), make })
    const [error] = storageErrors.filter((error) => error !== frozen)
    assert.deepEqual([error.message, error.field, error.file.fieldname, storageErrors.length], ['R', 'x', 'x', 2])
    assert.ok(storageErrors.includes(frozen))
  })

  it('leave no place of one that is cut on its way to the disk, as with multer at times', async () => {
    const { files } = await outcomeOf(ours, {
      body: file('x') + file('y').slice(0, -3),
      make: (multer, dest) => multer({ dest }).any()
    })
    assert.deepEqual(files.map(({ fieldname, size }) => [fieldname, size]), [['x', 2]])
  })

  it('that cannot be removed are reported', async () => {
    const make = (multer, folder) => multer({
      storage: multer.diskStorage({ destination: folder, filename: (req, file, done) => done(null, file.fieldname) }),
      fileFilter: (req, { fieldname }, done) => {
        if (fieldname !== 'z') return done(null, true)
        const stored = path.join(folder, 'x') // to be a directory, which cannot be unlinked
        fs.rmSync(stored)
        fs.mkdirSync(stored)
        fs.rmSync(path.join(folder, 'y')) // which is no error
        done(new Error('filter'))
      }
    }).any()
    const { error } = await outcomeOf(ours, { body: form(file('x'), file('y'), file('z')), make })
    assert.deepEqual([error.message, error.storageErrors.length], ['filter', 1])
    assert.match(error.storageErrors[0], /unlink/)
  })

  it('are removed where the file system reports success by undefined, as in Deno', async () => {
    const { unlink } = fs
    replace(fs, 'unlink', (path, done) => unlink(path, (error) => done(error ?? undefined)))
    const body = form(file('x')).slice(0, -3)
    const { error, left } = await outcomeOf(ours, { body, make: (multer, dest) => multer({ dest }).any() })
    assert.deepEqual([error.message, error.storageErrors, left], ['Unexpected end of form', [], 0])
  })
})

describe('multer: diskStorage', () => {
  const replace = useReplacements()
  const disk = (options) => (multer, destination) =>
    multer({ storage: multer.diskStorage({ destination, ...options }) }).any()
  agree({
    'names files': [form(file('x')), disk({ filename: (req, file, done) => done(null, file.originalname) })],
    'replaces a file of the same name': [
      form(file('x'), file('x', 'a.txt', 'second')),
      disk({ filename: (req, file, done) => done(null, file.originalname) })
    ],
    'fails to name a file': [form(file('x')), disk({ filename: (req, file, done) => done(new Error('N')) })],
    'fails to find a directory': [
      form(file('x')),
      (multer) => multer({ storage: multer.diskStorage({ destination: late([new Error('D')]) }) }).any()
    ],
    'makes a directory': [form(file('x')), (multer, folder) => multer({ dest: `${folder}/a/b` }).any()]
  })

  const eio = Object.assign(new Error('EIO: i/o error, fsync'), { code: 'EIO' })
  // [title, options, limits, error of fsync, error, how many bytes are flushed]
  for (const [title, options, limits, fault, error, flushed] of [
    ['waits until the system has written the file', { flush: true }, {}, null, undefined, [LARGE.length]],
    ['reports that the system cannot write the file', { flush: true }, {}, eio, eio.message, [LARGE.length]],
    ['does not wait by default', {}, {}, eio, undefined, []],
    ['does not wait for a file that is removed', { flush: true }, { fileSize: 9 }, null, 'File too large', []]
  ]) {
    it(`${title}: flush`, async () => {
      const sizes = []
      replace(fs, 'fsync', (fd, done) => setImmediate(() => {
        sizes.push(fs.fstatSync(fd).size)
        done(fault)
      }))
      const make = (multer, destination) =>
        multer({ storage: multer.diskStorage({ destination, ...options }), limits }).any()
      const seen = await outcomeOf(ours, { body: form(file('x', 'a', LARGE)), make })
      assert.deepEqual([seen.error?.message, sizes], [error, flushed])
    })
  }

  it('refuses an empty destination as multer does', () => {
    for (const multer of [ours, theirs]) {
      assert.throws(() => multer.diskStorage({ destination: '' }), { code: 'ENOENT' })
    }
  })

  it('uses the directory of the system, and random names, by default', async () => {
    const paths = []
    const make = noting((multer) => multer({ storage: multer.diskStorage() }).any(), ({ files }) => {
      paths.push(files[0].path)
    })
    await both({ body: form(file('x')), make })
    for (const name of paths) {
      assert.equal(path.dirname(name), os.tmpdir())
      assert.match(path.basename(name), /^[\da-f]{32}$/)
      fs.rmSync(name)
    }
  })

  it('gives files the mode that the umask leaves', async () => {
    const make = noting((multer, dest) => multer({ dest }).any(), (req) => {
      req.body.mode = fs.statSync(req.files[0].path).mode
    })
    await agreed({ body: form(file('x')), make })
  })
})
