'use strict'

// Options of `multipart.disk`: the names of files, and their mode.

const assert = require('node:assert/strict')
const { once } = require('node:events')
const fs = require('node:fs')
const path = require('node:path')
const { setTimeout: delay } = require('node:timers/promises')
const { inspect } = require('node:util')
const { multipart } = require('../../../')
const useFolder = require('../../support/folder')
const schemaOf = require('../../support/schema-of')
const { form, shown, upload } = require('../../support/upload')

const big = Buffer.alloc(2 ** 20, 'abcdefg')

describe('multipart.disk with options', () => {
  const folder = useFolder()
  const left = folder.names
  const disk = (options) => multipart.disk(folder.at(), options)
  const named = (filename) => multipart({ limit: '8mb', store: disk({ filename }) })

  // [options, message]
  const wrong = [
    [1, 'option multipart.disk must be an object'],
    [{ name () {} }, 'option multipart.disk takes filename, mode; not name'],
    [{ filename: 'x' }, 'option filename of multipart.disk must be a function'],
    ...[-1, 0o1000, 1.5, '600', NaN].map((mode) =>
      [{ mode }, 'option mode of multipart.disk must be a number from 0 to 0o777'])
  ]
  for (const [options, message] of wrong) {
    it(`refuses ${inspect(options)}`, () => {
      assert.throws(() => multipart.disk(folder.at('x'), options), { name: 'TypeError', message })
      assert.deepEqual(left(), [])
    })
  }

  it('takes options that are left out', async () => {
    for (const options of [null, {}, { filename: undefined, mode: null }]) {
      await upload(multipart({ store: disk(options) }), form(['f', '1', 'x']), {
        handle: ({ files: { f: [file] } }) => assert.match(path.basename(file.path), /^[0-9a-f]{32}$/)
      })
    }
  })

  it('creates files of a mode, from which the system takes the umask', async () => {
    if (process.platform === 'win32') return
    for (const [mode, expected] of [[0o666, 0o640], [0o777, 0o750], [0o400, 0o400], [0, 0], [undefined, 0o600]]) {
      const umask = process.umask(0o027)
      try {
        await upload(multipart({ store: disk({ mode }) }), form(['f', '1', 'x']), {
          handle: ({ files: { f: [file] } }) => assert.equal(fs.statSync(file.path).mode & 0o777, expected)
        })
      } finally {
        process.umask(umask)
      }
    }
  })

  it('calls a file what filename gives a promise of', async () => {
    const asked = []
    const parser = named((file, { fields }) => {
      asked.push(file)
      return delay(20, `${fields.a}-${file.name}.txt`)
    })
    const seen = await upload(parser, form(['a', 'é'], ['f', big, '../b/c/x', 'a/b'], ['f', '2', 'y']), {
      handle ({ files: { f } }) {
        assert.deepEqual(f.map((file) => file.path), ['é-x.txt', 'é-y.txt'].map((name) => folder.at(name)))
        assert.ok(fs.readFileSync(f[0].path).equals(big))
        assert.equal(fs.readFileSync(f[1].path, 'utf8'), '2')
      }
    })
    assert.equal(seen.error, undefined)
    assert.deepEqual(asked, [
      { field: 'f', name: 'x', folder: 'b/c', type: 'a/b' }, { field: 'f', name: 'y', folder: '', type: 'text/plain' }
    ])
    await folder.emptied()
  })

  it('leaves a file that is there already, and fails', async () => {
    fs.writeFileSync(folder.at('x'), 'before')
    let then
    const seen = await upload(named(({ name }) => name), form(['f', '1', 'y'], ['f', '2', 'x']),
      { handle: () => { then = left() } })
    assert.deepEqual([shown(seen.error), seen.error.code, then],
      [{ status: 500, type: 'multipart.store.failed', field: 'f', part: 2 }, 'EEXIST', ['x']])
    assert.equal(fs.readFileSync(folder.at('x'), 'utf8'), 'before')
  })

  for (const name of ['', '.', '..', '../x', 'a/b', 'a\\b', '/x', 'a\0', undefined, null, 1, {}]) {
    it(`refuses the name ${inspect(name)}`, async () => {
      const seen = await upload(named(() => name), form(['f', '1', 'y']))
      assert.deepEqual([seen.error.name, seen.error.message, left()],
        ['TypeError', 'filename of multipart.disk must return a name without a path', []])
    })
  }

  it('fails with the error of a filename that throws', async () => {
    const filename = () => { throw Object.assign(new Error('no'), { status: 409 }) }
    const seen = await upload(named(filename), form(['f', big, 'y']))
    assert.deepEqual([seen.error.message, seen.error.status, seen.calls, left()], ['no', 409, 1, []])
  })

  it('does not wait for a filename after the form has failed, and creates nothing then', async () => {
    let name
    const parser = multipart({
      timeout: 20,
      store: disk({ filename: () => new Promise((resolve) => { name = resolve }) })
    })
    const seen = await upload(parser, form(['f', '1', 'x']))
    assert.deepEqual([seen.error.type, seen.calls], ['request.timeout', 1])
    name('late')
    await delay(20)
    assert.deepEqual(left(), [])
  })

  it('leaves a file that has got the name of one that was removed after an error', async () => {
    const schema = schemaOf(() => ({ issues: [{ message: 'no' }] }))
    const parser = multipart({ schema, store: disk({ filename: () => 'x' }) })
    const seen = await upload(parser, form(['f', '1', 'x']), {
      handle () {
        assert.deepEqual(left(), [])
        fs.writeFileSync(folder.at('x'), 'of another form')
      }
    })
    await delay(20) // the response is closed
    assert.deepEqual([seen.error.type, left()], ['entity.invalid', ['x']])
  })

  // [what a handler does, the error that it gets, what stays]
  const acts = [
    ['keeps a file where it is', (file) => file.keep(), undefined, ['x']],
    ['moves a frozen file', (file) => Object.freeze(file).keep(folder.at('kept')), undefined, ['kept']],
    ['lets a file stay that was moved', async (file) => {
      await file.keep(folder.at('kept'))
      await file.keep()
      assert.equal(file.path, folder.at('kept'))
    }, undefined, ['kept']],
    ['does not keep a file whose target is undefined', (file) => file.keep(undefined), 'ERR_INVALID_ARG_TYPE', []],
    ['does not keep a file at a URL that is no path', (file) => file.keep(new URL('http://x/')),
      'ERR_INVALID_URL_SCHEME', []]
  ]
  for (const [what, act, code, names] of acts) {
    it(what, async () => {
      const { thrown } = await upload(named(({ name }) => name), form(['f', '1', 'x'], ['f', '2', 'y']), {
        handle: ({ files: { f: [file] } }) => act(file)
      })
      await folder.emptied('', names.length)
      await delay(10) // nothing is removed later
      assert.deepEqual([thrown?.code ?? thrown, left()], [code, names])
    })
  }

  it('cannot keep a file that is being removed', async () => {
    let kept
    await upload(named(() => 'x'), form(['f', '1', 'x']), {
      handle ({ files: { f: [file] } }, res) {
        res.end()
        const message =
          `ENOENT: the file is removed, as the response is closed or the form disposed of: ${folder.at('x')}`
        kept = once(res, 'close').then(() => assert.rejects(file.keep(), { code: 'ENOENT', message }))
      }
    })
    await kept
    await folder.emptied()
  })
})
