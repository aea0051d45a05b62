'use strict'

// Options of `multipart.disk`: the names of files, and their mode.

const assert = require('node:assert/strict')
const { once } = require('node:events')
const fs = require('node:fs')
const os = require('node:os')
const path = require('node:path')
const { setTimeout: delay } = require('node:timers/promises')
const { inspect } = require('node:util')
const { multipart } = require('../../../')
const { form, shown, upload } = require('../../support/upload')

const big = Buffer.alloc(2 ** 20, 'abcdefg')

describe('multipart.disk with options', () => {
  let folder
  beforeEach(() => { folder = fs.mkdtempSync(path.join(os.tmpdir(), 'multipart-')) })
  afterEach(() => fs.rmSync(folder, { recursive: true, force: true }))
  const left = () => fs.readdirSync(folder).sort()
  const named = (filename) => multipart({ limit: '8mb', store: multipart.disk(folder, { filename }) })

  // [options, message]
  const wrong = [
    [1, 'option multipart.disk must be an object'],
    [[], 'option multipart.disk must be an object'],
    [{ name () {} }, 'option multipart.disk takes filename, mode; not name'],
    [{ filename: 'x' }, 'option filename of multipart.disk must be a function'],
    ...[-1, 0o1000, 1.5, '600', NaN].map((mode) =>
      [{ mode }, 'option mode of multipart.disk must be a number from 0 to 0o777'])
  ]
  for (const [options, message] of wrong) {
    it(`refuses ${inspect(options)}`, () => {
      assert.throws(() => multipart.disk(path.join(folder, 'x'), options), { name: 'TypeError', message })
      assert.deepEqual(left(), [])
    })
  }

  it('takes options that are left out', async () => {
    for (const options of [null, {}, { filename: undefined, mode: null }]) {
      await upload(multipart({ store: multipart.disk(folder, options) }), form(['f', '1', 'x']), {
        handle: ({ files: { f: [file] } }) => assert.match(path.basename(file.path), /^[0-9a-f]{32}$/)
      })
    }
  })

  it('creates files of a mode, from which the system takes the umask', async () => {
    if (process.platform === 'win32') return
    for (const [mode, expected] of [[0o666, 0o640], [0o777, 0o750], [0o400, 0o400], [0, 0], [undefined, 0o600]]) {
      const umask = process.umask(0o027)
      try {
        await upload(multipart({ store: multipart.disk(folder, { mode }) }), form(['f', '1', 'x']), {
          handle: ({ files: { f: [file] } }) => assert.equal(fs.statSync(file.path).mode & 0o777, expected)
        })
      } finally {
        process.umask(umask)
      }
    }
  })

  for (const [what, wait] of [['returns', (name) => name], ['gives a promise of', (name) => delay(20, name)]]) {
    it(`calls a file what filename ${what}`, async () => {
      const calls = []
      const parser = named((file, { req, fields, signal }) => {
        calls.push([file, req.method, { ...fields }, signal.aborted])
        return wait(`${fields.a}-${calls.length}.txt`)
      })
      const seen = await upload(parser, form(['a', 'é'], ['f', big, '../b/c/x', 'a/b'], ['f', '2', 'y']), {
        handle ({ files: { f } }) {
          assert.deepEqual(f.map((file) => file.path), ['é-1.txt', 'é-2.txt'].map((name) => path.join(folder, name)))
          assert.ok(fs.readFileSync(f[0].path).equals(big))
          assert.equal(fs.readFileSync(f[1].path, 'utf8'), '2')
        }
      })
      assert.equal(seen.error, undefined)
      assert.deepEqual(calls, [
        [{ field: 'f', name: 'x', folder: 'b/c', type: 'a/b' }, 'POST', { a: 'é' }, false],
        [{ field: 'f', name: 'y', folder: '', type: 'text/plain' }, 'POST', { a: 'é' }, false]
      ])
      while (left().length > 0) await delay(1)
    })
  }

  it('leaves a file that is there already, and fails', async () => {
    fs.writeFileSync(path.join(folder, 'x'), 'before')
    let then
    const seen = await upload(named(({ name }) => name), form(['f', '1', 'y'], ['f', '2', 'x']),
      { handle: () => { then = left() } })
    assert.deepEqual([shown(seen.error), seen.error.code, then],
      [{ status: 500, type: 'multipart.store.failed', field: 'f', part: 2 }, 'EEXIST', ['x']])
    assert.equal(fs.readFileSync(path.join(folder, 'x'), 'utf8'), 'before')
  })

  for (const name of ['', '.', '..', '../x', 'a/b', 'a\\b', '/x', 'a\0', undefined, null, 1, {}]) {
    it(`refuses the name ${inspect(name)}`, async () => {
      const seen = await upload(named(() => name), form(['f', '1', 'y']))
      assert.deepEqual([seen.error.name, seen.error.message, left()],
        ['TypeError', 'filename of multipart.disk must return a name without a path', []])
    })
  }

  for (const [what, filename] of [
    ['throws', () => { throw Object.assign(new Error('no'), { status: 409 }) }],
    ['rejects', async () => { await delay(5); throw Object.assign(new Error('no'), { status: 409 }) }]
  ]) {
    it(`fails with the error of a filename that ${what}`, async () => {
      const seen = await upload(named(filename), form(['f', big, 'y']))
      assert.deepEqual([seen.error.message, seen.error.status, seen.calls, left()], ['no', 409, 1, []])
    })
  }

  it('does not wait for a filename after the form has failed, and creates nothing then', async () => {
    let name
    const parser = multipart({
      timeout: 20,
      store: multipart.disk(folder, { filename: () => new Promise((resolve) => { name = resolve }) })
    })
    const seen = await upload(parser, form(['f', '1', 'x']))
    assert.deepEqual([seen.error.type, seen.calls], ['request.timeout', 1])
    name('late')
    await delay(20)
    assert.deepEqual(left(), [])
  })

  it('leaves a file that has got the name of one that was removed after an error', async () => {
    const schema = { '~standard': { version: 1, vendor: 'test', validate: () => ({ issues: [{ message: 'no' }] }) } }
    const parser = multipart({ schema, store: multipart.disk(folder, { filename: () => 'x' }) })
    const seen = await upload(parser, form(['f', '1', 'x']), {
      handle () {
        assert.deepEqual(left(), [])
        fs.writeFileSync(path.join(folder, 'x'), 'of another form')
      }
    })
    await delay(20) // the response is closed
    assert.deepEqual([seen.error.type, left()], ['entity.invalid', ['x']])
  })

  it('keeps a file where it is', async () => {
    const seen = await upload(named(({ name }) => name), form(['f', '1', 'x'], ['f', '2', 'y']), {
      handle: ({ files: { f: [file] } }) => file.keep()
    })
    assert.equal(seen.thrown, undefined)
    while (left().length > 1) await delay(1)
    await delay(10)
    assert.deepEqual(left(), ['x'])
  })

  it('keeps a file that the app has frozen', async () => {
    const kept = path.join(folder, 'kept')
    for (const targets of [[], [kept]]) {
      const seen = await upload(named(({ name }) => name), form(['f', '1', 'x']), {
        handle: ({ files: { f: [file] } }) => Object.freeze(file).keep(...targets)
      })
      assert.equal(seen.thrown, undefined)
      await delay(20) // the response is closed
      assert.deepEqual(left(), targets.length === 0 ? ['x'] : ['kept'])
      for (const name of left()) fs.rmSync(path.join(folder, name))
    }
  })

  it('moves a file that was to stay, and lets one stay that was moved', async () => {
    const target = path.join(folder, 'target')
    for (const first of [[], [target]]) {
      await upload(named(() => 'x'), form(['f', '1', 'x']), {
        async handle ({ files: { f: [file] } }) {
          await file.keep(...first)
          await file.keep(...first.length === 0 ? [target] : [])
          assert.equal(file.path, target)
        }
      })
      await delay(10)
      assert.deepEqual(left(), ['target'])
    }
  })

  it('does not keep a file whose target is undefined', async () => {
    const seen = await upload(named(() => 'x'), form(['f', '1', 'x']), {
      handle: ({ files: { f: [file] } }) => file.keep(undefined)
    })
    assert.equal(seen.thrown.code, 'ERR_INVALID_ARG_TYPE')
    while (left().length > 0) await delay(1)
  })

  it('does not keep a file at a URL that is no path', async () => {
    const seen = await upload(named(() => 'x'), form(['f', '1', 'x']), {
      handle: ({ files: { f: [file] } }) => file.keep(new URL('http://x/'))
    })
    assert.equal(seen.thrown.code, 'ERR_INVALID_URL_SCHEME')
    while (left().length > 0) await delay(1)
  })

  it('leaves a file that has got the name of one that was removed, if that is to be kept', async () => {
    const { files: { f: [file] } } = await upload(named(() => 'x'), form(['f', '1', 'x']))
    while (left().length > 0) await delay(1)
    fs.writeFileSync(path.join(folder, 'x'), 'of another form')
    await assert.rejects(file.keep(path.join(folder, 'kept')), { code: 'ENOENT', syscall: 'rename' })
    assert.deepEqual(left(), ['x'])
  })

  it('cannot keep a file that is being removed', async () => {
    let kept
    await upload(named(() => 'x'), form(['f', '1', 'x']), {
      handle ({ files: { f: [file] } }, res) {
        res.end()
        kept = once(res, 'close').then(() => assert.rejects(file.keep(), {
          code: 'ENOENT',
          message: `ENOENT: the file is removed, as the response is closed or the form disposed of: ${path.join(folder, 'x')}`
        }))
      }
    })
    await kept
    while (left().length > 0) await delay(1)
  })
})
