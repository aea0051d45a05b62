'use strict'

const assert = require('node:assert/strict')
const fs = require('node:fs')
const path = require('node:path')
const { setTimeout: delay } = require('node:timers/promises')
const { pathToFileURL } = require('node:url')
const { multipart } = require('../../../')
const useFolder = require('../../support/folder')
const useReplacements = require('../../support/replace')
const schemaOf = require('../../support/schema-of')
const { form, shown, upload } = require('../../support/upload')

const MEGABYTE = 2 ** 20
const big = Buffer.alloc(MEGABYTE, 'abcdefg')
const ONE = form(['f', '1', 'x'])
const errorWith = (code) => Object.assign(new Error(code), { code })

describe('multipart.disk', () => {
  const folder = useFolder()
  const replace = useReplacements()
  let store
  beforeEach(() => { store = multipart.disk(folder.at('a', 'b')) })

  const left = () => folder.names('a', 'b')
  const removed = () => folder.emptied('a/b')
  const uploadOne = (handle, parser = multipart({ store })) =>
    upload(parser, ONE, { handle: ({ files: { f: [file] } }, res) => handle(file, res) })

  /** The error, and what was left behind when `next` was called. */
  async function fault (options, body, message) {
    let then
    const handle = () => { then = [left().length, folder.countOpen()] }
    const seen = await upload(multipart({ limit: '8mb', store, ...options }), body, { ...message, handle })
    return [shown(seen.error), ...then, seen.calls]
  }

  it('creates the directory, and refuses values that are not a path', () => {
    assert.ok(fs.statSync(store.directory).isDirectory())
    for (const directory of [undefined, '', 1, null, {}]) {
      assert.throws(() => multipart.disk(directory),
        { name: 'TypeError', message: 'multipart.disk must be given a directory' })
    }
  })

  it('writes files that only their owner can read, with names that cannot be guessed', async () => {
    const names = []
    await upload(multipart({ store, limit: '4mb' }), form(['f', big, 'x.bin'], ['f', '', 'y']), {
      handle ({ files: { f } }) {
        assert.deepEqual(f.map(({ field, name, type, size }) => [field, name, type, size]),
          [['f', 'x.bin', 'text/plain', MEGABYTE], ['f', 'y', 'text/plain', 0]])
        assert.deepEqual(f.map(({ path }) => fs.readFileSync(path)), [big, Buffer.alloc(0)])
        for (const file of f) {
          names.push(path.basename(file.path))
          assert.equal(path.dirname(file.path), store.directory)
          if (process.platform !== 'win32') assert.equal(fs.statSync(file.path).mode & 0o777, 0o600)
        }
        assert.equal(folder.countOpen(), 0)
      }
    })
    assert.equal(new Set(names).size, 2)
    for (const name of names) assert.match(name, /^[0-9a-f]{32}$/)
  })

  it('removes the files when the response is closed', async () => {
    await uploadOne(() => assert.equal(left().length, 1))
    await removed()
  })

  it('removes the files if the response was closed before they were stored', async () => {
    const closed = (req, res, next) => multipart({ store })(req, { writableFinished: true }, next)
    assert.equal((await upload(closed, ONE)).files.f.length, 1)
    await removed()
  })

  const to = (...names) => folder.at(...names)
  /** What a handler does with a file -> what is in the folder then. */
  const moves = {
    'keeps a file at a file: URL': [(file) => file.keep(pathToFileURL(to('a name'))), 'a name'],
    'keeps a file in place of another': [(file) => {
      fs.writeFileSync(to('kept'), 'before')
      return file.keep(to('kept'))
    }, 'kept'],
    'keeps a file with a name of 255 bytes, the most that file systems take': [
      (file) => file.keep(to('n'.repeat(255))), 'n'.repeat(255)
    ],
    'keeps a file that could not be moved on': [async (file) => {
      await file.keep(to('kept'))
      await assert.rejects(file.keep(to('none', 'x')), { code: 'ENOENT' })
    }, 'kept'],
    'keeps a file at its last place, if it is moved again before it is there': [async (file) => {
      await Promise.all([file.keep(to('one')), file.keep(to('two')), file.keep(to('two'))])
    }, 'two'],
    'keeps a file if the second of two moves fails': [async (file) => {
      await Promise.allSettled([file.keep(to('kept')), file.keep(to('none', 'x'))])
    }, 'kept'],
    'keeps a file if the first of two moves fails': [async (file) => {
      await Promise.allSettled([file.keep(to('none', 'x')), file.keep(to('kept'))])
    }, 'kept'],
    'removes a file that could not be moved': [async (file) => {
      await assert.rejects(file.keep(to('none', 'x')), { code: 'ENOENT' })
      assert.equal(fs.readFileSync(file.path, 'utf8'), '1')
    }]
  }
  for (const [system, isOther] of [['this', false], ['another', true]]) {
    describe(`on ${system} file system`, () => {
      beforeEach(() => {
        const { rename } = fs.promises
        replace(fs.promises, 'rename', async (from, target) => {
          if (isOther && path.dirname(from) === store.directory) throw errorWith('EXDEV')
          if (path.basename(target) === 'kept') await delay(5) // another move fails before
          return rename(from, target)
        })
      })

      for (const [title, [act, name]] of Object.entries(moves)) {
        it(title, async () => {
          let file
          const { thrown } = await uploadOne((stored) => act(file = stored))
          await removed()
          await delay(10) // nothing is removed later
          assert.deepEqual([thrown, folder.names()], [undefined, name ? ['a', name] : ['a']])
          if (name) assert.deepEqual([file.path, folder.read(name)], [to(name), '1'])
        })
      }
    })
  }

  it('keeps a file where it is, if the app has moved it itself', async () => {
    const { thrown } = await uploadOne((file) => {
      fs.renameSync(file.path, to('moved'))
      return file.keep()
    })
    assert.deepEqual([thrown, folder.read('moved')], [undefined, '1'])
  })

  it('leaves the file at the target if it cannot copy another one there', async () => {
    fs.writeFileSync(to('target'), 'before')
    replace(fs.promises, 'rename', async () => { throw errorWith('EXDEV') })
    replace(fs.promises, 'copyFile', async (from, copy) => {
      fs.writeFileSync(copy, 'a part')
      throw errorWith('ENOSPC')
    })
    assert.equal((await uploadOne((file) => file.keep(to('target')))).thrown.code, 'ENOSPC')
    await removed()
    assert.deepEqual([folder.names(), folder.read('target')], [['a', 'target'], 'before'])
  })

  for (const [what, isMovable] of [['keeps a file whose move ends', true], ['removes one whose move fails', false]]) {
    it(`${what} after the response was closed`, async () => {
      const target = to(isMovable ? 'kept' : 'none/x')
      const { rename } = fs.promises
      let move
      let kept
      replace(fs.promises, 'rename', async (from, to) => {
        await new Promise((resolve) => { move = resolve })
        return rename(from, to)
      })
      await uploadOne((file) => { kept = Promise.allSettled([file.keep(target)]) })
      await delay(10)
      assert.equal(left().length, 1)
      move()
      const [{ reason }] = await kept
      assert.deepEqual([reason?.syscall, left(), fs.existsSync(target)],
        [isMovable ? undefined : 'rename', [], isMovable])
    })
  }

  const body = form(['a', '1'], ['f', big, 'x'], ['f', big, 'y'])
  const begun = body.subarray(0, 1.5 * MEGABYTE)
  // [what, error, options, body, message]
  const faults = [
    ['a second file that is refused',
      { status: 413, type: 'multipart.files.too.many', limit: 1, field: 'f', part: 3 }, { files: { f: {} } }],
    ['a body over the limit', { status: 413, type: 'entity.too.large', limit: 1.5 * MEGABYTE },
      { limit: 1.5 * MEGABYTE }, body, { chunked: true }],
    ['a client that leaves in the second file', { status: 400, type: 'request.aborted' }, {}, begun, { cut: true }],
    ['a body that is cut', { status: 400, type: 'multipart.unterminated', field: 'f', part: 3 }, {}, begun],
    ['a schema that refuses the fields', { status: 422, type: 'entity.invalid' },
      { schema: schemaOf(() => ({ issues: [{ message: 'no' }] })) }],
    ['nesting that is too deep', { status: 400, type: 'querystring.parse.rangeError' }, { extended: true, depth: 1 },
      form(['f', '1', 'x'], ['a[b][c]', '1'])]
  ]
  for (const [what, error, options, content = body, message] of faults) {
    it(`removes all files after ${what}`, async () => {
      assert.deepEqual(await fault(options, content, message), [error, 0, 0, 1])
    })
  }

  // [code, status, the call of writev that fails, body]
  for (const [code, status, failing, content] of [
    ['ENOSPC', 507, 2, body], ['EDQUOT', 507, 2, body], ['EIO', 500, 1, ONE]
  ]) {
    it(`removes all files after ${code} in call ${failing} of writev, and fails with ${status}`, async () => {
      const { writev } = fs
      let calls = 0
      replace(fs, 'writev', (fd, pieces, done) =>
        ++calls >= failing ? done(errorWith(code)) : writev(fd, pieces, done))
      assert.deepEqual(await fault({}, content),
        [{ status, type: 'multipart.store.failed', field: 'f', part: content === ONE ? 1 : 2 }, 0, 0, 1])
    })
  }

  it('continues after a partial write', async () => {
    replace(fs, 'writev', (fd, pieces, done) => fs.write(fd, pieces[0], 0, 1000, null, done))
    await upload(multipart({ store, limit: '4mb' }), form(['f', big, 'x']), {
      handle: ({ files: { f } }) => assert.deepEqual(fs.readFileSync(f[0].path), big)
    })
  })

  it('fails with a 500 that shows no path if no file can be opened', async () => {
    fs.rmSync(store.directory, { recursive: true })
    const { error } = await upload(multipart({ limit: '8mb', store }), body)
    assert.deepEqual([shown(error), error.code, error.expose],
      [{ status: 500, type: 'multipart.store.failed', field: 'f', part: 2 }, 'ENOENT', false])
  })
})
