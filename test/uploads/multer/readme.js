'use strict'

// What multer's README documents, section by section: each row is sent to both,
// over HTTP. They must show the app the same, and that is what the README says.

const assert = require('node:assert/strict')
const { randomBytes } = require('node:crypto')
const fs = require('node:fs')
const os = require('node:os')
const path = require('node:path')
const filesIn = require('../../../tools/files-in')
const { HEAD, agreed, any, both, field, file, form, part } = require('../../support/multer-rows')

/**
 * @param {Record<string, [make: Function, body: string, check: (seen: object) => void, headers?: object]>} rows
 *   title -> the middleware, a form, and what the README says of the result
 */
function documented (rows) {
  for (const [title, [make, body, check, headers]] of Object.entries(rows)) {
    it(title, async () => check(await agreed({ make: withDisk(make), body, headers })))
  }
}

/** Adds the files on the disk, as `path: content`, to what the app sees. */
function withDisk (make) {
  return (multer, folder) => {
    const upload = make(multer, folder)
    return (req, res, next) => upload(req, res, (error) => {
      const files = filesIn(folder).map((name) => `${name}: ${fs.readFileSync(path.join(folder, name), 'latin1')}`)
      if (files.length > 0) req.body.disk = files.map((text) => text.replace(/^[\da-f]{32}/, '<random>')).sort()
      next(error)
    })
  }
}

/** `expected` may leave fields out. */
const says = (expected) => (seen) => assert.deepEqual(alike(seen, expected), expected)
const alike = (seen, expected) => {
  if (Object(seen) !== seen || Object(expected) !== expected) return seen
  const entries = Object.keys(expected).map((key) => [key, alike(seen[key], expected[key])])
  return Array.isArray(seen) ? Object.assign([], seen, Object.fromEntries(entries)) : Object.fromEntries(entries)
}
const fails = (code, name) => (seen) => {
  assert.deepEqual([seen.error?.code, seen.error?.field, seen.error?.name, seen.left], [code, name, 'MulterError', 0])
}
const passes = ({ error }) => assert.equal(error, undefined)
const twice = (text, times = 2) => Array(times).fill(text)
const accept = (isWanted) => (req, file, done) => done(null, isWanted)

describe("multer's README: what is not a form", () => {
  const untouched = (seen) =>
    assert.deepEqual([seen.body, 'file' in seen, seen.error], ['<undefined>', false, undefined])
  documented(Object.fromEntries(['application/json', 'application/x-www-form-urlencoded', 'text/plain'].map((type) => [
    `does not process ${type}`,
    [(multer) => multer().single('avatar'), 'a=1', untouched, { 'Content-Type': type }]
  ])))
})

describe("multer's README: usage", () => {
  const routes = {
    profile: (multer, dest) => multer({ dest }).single('avatar'),
    photos: (multer, dest) => multer({ dest }).array('photos', 12),
    cool: (multer, dest) =>
      multer({ dest }).fields([{ name: 'avatar', maxCount: 1 }, { name: 'gallery', maxCount: 8 }]),
    none: (multer) => multer().none(),
    stats: (multer, folder) => multer({ dest: `${folder}/public/data/uploads/` }).single('uploaded_file')
  }
  const photos = (count) => form(field('album', 'b'), ...twice(file('photos'), count))
  const mixed = form(file('avatar'), ...twice(file('gallery'), 8), field('a'))
  documented({
    'single: a file in req.file, fields in req.body': [routes.profile, form(file('avatar'), field('name', 'me')),
      says({ file: { fieldname: 'avatar' }, body: { name: 'me', disk: ['<random>: hi'] } })],
    'single: without a file, req.body alone': [
      routes.profile, form(field('name', 'me')), (seen) => assert.ok(!('file' in seen))
    ],
    'array: as many files as allowed': [routes.photos, photos(12), (seen) => assert.equal(seen.files.length, 12)],
    'array: one more': [routes.photos, photos(13), fails('LIMIT_UNEXPECTED_FILE', 'photos')],
    'fields: arrays by name': [
      routes.cool, mixed, ({ files }) => assert.deepEqual([files.avatar.length, files.gallery.length], [1, 8])
    ],
    'fields: one more of a name': [
      routes.cool, form(...twice(file('avatar'))), fails('LIMIT_UNEXPECTED_FILE', 'avatar')
    ],
    'fields: another name': [routes.cool, form(file('other')), fails('LIMIT_UNEXPECTED_FILE', 'other')],
    'none: text fields': [routes.none, form(field('a'), field('b', '2')), says({ body: { a: '1', b: '2' } })],
    'a form of HTML with a file and a number': [
      routes.stats, form(file('uploaded_file', 'stats.csv'), field('nspeakers', '7')),
      says({ file: { originalname: 'stats.csv' }, body: { nspeakers: '7' } })
    ],
    'a name that the route does not have': [
      routes.stats, form(file('upload')), fails('LIMIT_UNEXPECTED_FILE', 'upload')
    ]
  })
})

describe("multer's README: file information", () => {
  const header = 'Content-Disposition: form-data; name="x"; filename="dir/a.png"\r\nContent-Type: image/png\r\nContent-Transfer-Encoding: binary'
  const common = { fieldname: 'x', originalname: 'a.png', encoding: 'binary', mimetype: 'image/png', size: 2 }
  const body = form(part(header, 'hi'))
  documented({
    'of a file on disk': [(multer, dest) => multer({ dest }).single('x'), body, ({ file }) =>
      assert.deepEqual(file, { ...common, destination: '<folder>', filename: '<random>', path: '<folder>/<random>' })],
    'of a file in memory': [
      (multer) => multer().single('x'), body, ({ file }) => assert.deepEqual(file, { ...common, buffer: '<bytes> hi' })
    ],
    'with preservePath': [any({ preservePath: true }), body, says({ files: [{ originalname: 'dir/a.png' }] })]
  })
})

describe("multer's README: multer(opts)", () => {
  const latin1 = Buffer.from('é').toString('latin1')
  const engineOf = (seen) => ({
    _handleFile: (req, { stream }, done) => stream.resume().on('end', () => done(null, seen(stream))),
    _removeFile () {}
  })
  documented({
    'keeps files in memory without options': [
      (multer) => multer().any(),
      form(file('x')),
      says({ files: [{ buffer: '<bytes> hi' }], left: 0 })
    ],
    'dest: files of the same name do not conflict': [
      (multer, dest) => multer({ dest }).any(), form(...twice(file('x'))), says({ left: 2 })
    ],
    'defCharset: UTF-8 by default': [any(), form(field('a', 'é')), says({ body: { a: 'é' } })],
    'defCharset: another one': [any({ defCharset: 'latin1' }), form(field('a', 'é')), says({ body: { a: latin1 } })],
    'defCharset: not for values that declare one': [
      any({ defCharset: 'latin1' }),
      form(part(`${HEAD}a\r\nContent-Type: text/plain; charset=utf-8`, 'é')),
      says({ body: { a: 'é' } })
    ],
    'defParamCharset: latin1 by default': [any(), form(file('x', 'é')), says({ files: [{ originalname: latin1 }] })],
    'defParamCharset: utf8': [
      any({ defParamCharset: 'utf8' }),
      form(file('x', 'é')),
      says({ files: [{ originalname: 'é' }] })
    ],
    'defParamCharset: not for extended parameters': [
      any(),
      form(part(`${HEAD}x; filename*=utf-8''%c3%a9`)),
      says({ files: [{ originalname: 'é' }] })
    ],
    'storage: an engine': [
      any({ storage: engineOf(() => ({ mine: 1 })) }),
      form(file('x')),
      says({ files: [{ mine: 1 }] })
    ],
    'preservePath: the path is not followed': [
      (multer, dest) => multer({ dest, preservePath: true }).any(),
      form(file('x', '../../a')),
      says({ files: [{ originalname: '../../a', path: '<folder>/<random>' }], left: 1 })
    ],
    'highWaterMark: of the stream of the parser': [(multer) => {
      let mark
      const read = multer({
        highWaterMark: 77,
        streamHandler: (req, stream) => { mark = req.pipe(stream).writableHighWaterMark }
      }).any()
      return (req, res, next) => read(req, res, (error) => {
        req.body.mark = mark
        next(error)
      })
    }, form(field('a')), says({ body: { mark: 77 } })]
  })

  it('fileHwm: of the stream of a file, which has none here', async () => {
    const storage = engineOf(({ readableHighWaterMark: mark }) => ({ mark }))
    const outcomes = await both({ make: any({ fileHwm: 99, storage }), body: form(file('x')) })
    assert.deepEqual(outcomes.map(({ files }) => files[0].mark), [0, 99])
  })
})

describe("multer's README: single, array, fields, none and any", () => {
  const filtered = (options) => ({
    fileFilter: (req, { originalname }, done) => done(null, originalname !== 'n'),
    ...options
  })
  const many = form(...twice(file('x', 'n'), 3), ...twice(file('x')))
  documented({
    'single: a second file': [
      (multer) => multer().single('x'),
      form(...twice(file('x'))),
      fails('LIMIT_UNEXPECTED_FILE', 'x')
    ],
    'array: any number without maxCount': [
      (multer) => multer().array('x'),
      form(...twice(file('x'), 30)),
      ({ files }) => assert.equal(files.length, 30)
    ],
    'array: what a filter leaves out does not count': [
      (multer) => multer(filtered()).array('x', 2), many, ({ files }) => assert.equal(files.length, 2)
    ],
    'array: but does for limits.files': [
      (multer) => multer(filtered({ limits: { files: 4 } })).array('x', 2), many, fails('LIMIT_FILE_COUNT')
    ],
    'fields: any number without maxCount': [
      (multer) => multer().fields([{ name: 'x' }]),
      form(...twice(file('x'), 30)),
      ({ files }) => assert.equal(files.x.length, 30)
    ],
    'none: a file': [(multer) => multer().none(), form(field('a'), file('x')), fails('LIMIT_UNEXPECTED_FILE', 'x')],
    'any: an array of all files': [
      any(),
      form(file('x'), file('y')),
      ({ files }) => assert.deepEqual(files.map(({ fieldname }) => fieldname), ['x', 'y'])
    ]
  })
})

describe("multer's README: DiskStorage and MemoryStorage", () => {
  const disk = (options) => (multer, folder) =>
    multer({ storage: multer.diskStorage({ destination: folder, ...options }) }).any()
  const named = (req, file, done) =>
    randomBytes(16, (error, raw) => done(error, `${file.fieldname}-${raw.toString('hex').replace(/./g, '0')}`))
  const chosen = { destination: (folder) => (req, file, done) => done(null, folder), filename: named }
  const told = (req, file, done) =>
    done(null, JSON.stringify([req.method, Object.keys(req.body), file]).replace(/\W+/g, '-'))
  documented({
    'destination and filename as functions': [(multer, folder) => disk({ filename: named, destination: chosen.destination(folder) })(multer, folder), form(file('x')),
      says({ body: { disk: ['x-<random>: hi'] } })],
    'destination as a string is created': [(multer, folder) => multer({ storage: multer.diskStorage({ destination: `${folder}/a/b` }) }).any(), form(file('x')), says({ left: 1 })],
    'destination as a function is not': [(multer, folder) => disk({ filename: (req, file, done) => done(null, 'y'), destination: (req, file, done) => done(null, `${folder}/none`) })(multer, folder), form(file('x')),
      ({ error }) => assert.equal(error.code, 'ENOENT')],
    'no destination: the directory of the system': [(multer) => {
      const upload = multer({ storage: multer.diskStorage({}) }).any()
      return (req, res, next) => upload(req, res, (error) => {
        fs.rmSync(req.files[0].path)
        next(error)
      })
    }, form(file('x')), ({ files: [{ destination }] }) => assert.equal(destination, os.tmpdir())],
    'no filename: a random one without extension': [
      disk(), form(file('x', 'a.png')), says({ body: { disk: ['<random>: hi'] } })
    ],
    'the functions see the request, the fields before, and the file': [
      disk({ filename: told }),
      form(field('before'), file('x'), field('after')),
      ({ files: [{ filename }] }) => assert.match(filename, /POST-before-fieldname-x-originalname-a-txt/)
    ],
    'flush: the file is written': [disk({ flush: true }), form(file('x')), says({ body: { disk: ['<random>: hi'] } })],
    'memoryStorage: a buffer': [
      (multer) => multer({ storage: multer.memoryStorage() }).any(),
      form(file('x')),
      says({ files: [{ buffer: '<bytes> hi', size: 2 }], left: 0 })
    ]
  })
})

describe("multer's README: limits", () => {
  const large = 'x'.repeat(1024 * 1024)
  const limited = (limits) => any({ limits })
  const rows = {
    fieldNameSize: [2, form(field('ab')), form(field('abc')), 'LIMIT_FIELD_KEY'],
    fieldSize: [2, form(field('a', '12')), form(field('a', '123')), 'LIMIT_FIELD_VALUE', 'a'],
    fields: [2, form(field('a'), field('b'), file('x')), form(field('a'), field('b'), field('c')), 'LIMIT_FIELD_COUNT'],
    fileSize: [2, form(file('x', 'a', 'hi')), form(file('x', 'a', 'hey')), 'LIMIT_FILE_SIZE', 'x'],
    files: [2, form(file('x'), file('y'), field('a')), form(file('x'), file('y'), file('z')), 'LIMIT_FILE_COUNT'],
    parts: [
      2, form(file('x'), field('a')),
      form(file('x'), field('a'), part(`${HEAD}b; filename=""\r\nContent-Type: application/octet-stream`, '')),
      'LIMIT_PART_COUNT'
    ],
    fieldNestingDepth: [2, form(field('a[b][c]')), form(field('a[b][c][d]')), 'LIMIT_FIELD_NESTING', 'a[b][c][d]'],
    fieldArrayIndexLimit: [2, form(field('a[2]')), form(field('a[3]')), 'LIMIT_FIELD_ARRAY_INDEX', 'a[3]']
  }
  for (const [name, [limit, within, over, code, of]] of Object.entries(rows)) {
    documented({
      [`${name}: as many`]: [limited({ [name]: limit }), within, passes],
      [`${name}: one more`]: [limited({ [name]: limit }), over, fails(code, of)],
      [`${name}: Infinity`]: [limited({ [name]: Infinity }), over, passes],
      [`${name}: none by default`]: [limited(), over, passes]
    })
  }
  const byUser = (multer) => {
    const upload = multer({ limits: ({ user }) => ({ fileSize: user.maxUploadSize }) }).any()
    return (req, res, next) =>
      upload(Object.assign(req, { user: { maxUploadSize: Number(req.headers['x-max']) } }), res, next)
  }
  documented({
    'fieldSize: 1 MB by default': [limited(), form(field('a', large)), passes],
    'fieldSize: more than that': [limited(), form(field('a', `${large}x`)), fails('LIMIT_FIELD_VALUE', 'a')],
    'headerPairs: fewer than a part has': [
      limited({ headerPairs: 1 }), form(part(`${HEAD}a\r\nX: y\r\nContent-Type: text/plain`)), passes
    ],
    'a function of the request: enough': [byUser, form(file('x')), passes, { 'X-Max': 2 }],
    'a function of the request: too few': [byUser, form(file('x')), fails('LIMIT_FILE_SIZE', 'x'), { 'X-Max': 1 }],
    'the limits that are recommended': [
      limited({ fileSize: 5, files: 1, fields: 2, fieldNestingDepth: 3, fieldArrayIndexLimit: 100 }),
      form(file('x'), field('a[b][c][]'), field('d[99]')), passes
    ]
  })
})

describe("multer's README: fileFilter and streamHandler", () => {
  const handler = (hasRead) => (multer) => {
    const upload = multer({
      storage: multer.memoryStorage(),
      streamHandler: (req, stream) => req.rawBody ? stream.end(req.rawBody) : req.pipe(stream)
    }).any()
    return async (req, res, next) => {
      if (hasRead) req.rawBody = Buffer.concat(await req.toArray())
      upload(req, res, next)
    }
  }
  const mixed = form(file('x'), field('a'))
  documented({
    'false skips the file': [any({ fileFilter: accept(false) }), mixed, says({ files: [], body: { a: '1' } })],
    'true accepts it': [any({ fileFilter: accept(true) }), mixed, says({ files: [{ size: 2 }] })],
    'an error refuses the form': [
      any({ fileFilter: (req, file, done) => done(new Error("I don't have a clue!")) }),
      form(field('a'), file('x')),
      ({ error }) => assert.equal(error.message, "I don't have a clue!")
    ],
    'streamHandler: a body that was read before': [
      handler(true), mixed, says({ files: [{ size: 2 }], body: { a: '1' } })
    ],
    'streamHandler: one that was not': [handler(false), mixed, says({ files: [{ size: 2 }], body: { a: '1' } })]
  })
})

describe("multer's README: error handling", () => {
  const called = (multer) => {
    const upload = multer({ limits: { fileSize: 2 } }).single('avatar')
    return (req, res, next) => upload(req, res, (error) => {
      const { code, field, filename } = error ?? {}
      req.body.kind = error instanceof multer.MulterError ? [code, field, filename].join() : String(error)
      next()
    })
  }
  documented({
    'an error goes to Express': [
      (multer) => multer().single('avatar'),
      form(file('other', 'a')),
      says({ calls: 1, error: { code: 'LIMIT_UNEXPECTED_FILE', field: 'other', filename: 'a' } })
    ],
    'called by the app: an error of multer': [
      called, form(file('avatar', 'a', 'hey')), says({ body: { kind: 'LIMIT_FILE_SIZE,avatar,a' } })
    ],
    'called by the app: another error': [called, field('a'), says({ body: { kind: 'Error: Unexpected end of form' } })],
    'called by the app: all is well': [
      called, form(file('avatar')), says({ body: { kind: 'undefined' }, file: { size: 2 } })
    ]
  })
})

describe("multer's README: installation", () => {
  it('can be required and imported, with the same names', async () => {
    const names = await Promise.all(['multer', 'fast-body-parser/multer'].map(async (name) => {
      const module = await import(name)
      assert.equal(module.default, require(name))
      return ['MulterError', 'diskStorage', 'memoryStorage'].map((key) =>
        [key, typeof module[key], typeof module.default[key]])
    }))
    assert.deepEqual(names[0], names[1])
  })
})
