'use strict'

// NestJS on Express with body-parser and multer, and with this package in their places, as docs/nestjs.md puts it
// there: the same answers.

const assert = require('node:assert/strict')
const fs = require('node:fs')
const zlib = require('node:zlib')
const { field, file, form, part } = require('../../support/multer-rows')
const { alike } = require('../support/alike')
const startNest = require('../support/nest')
const { createFolder, remove } = require('../support/project')
const requests = require('../support/requests')
const { requires, titleOf } = require('../support/sides')
const { seen } = require('../support/stack')

const limit = '1kb'
const onePlace = async () => ({ routes: { '/': [(req) => ({ ...seen(req), raw: req.rawBody?.toString() })] } })
const byParsers = (app) => {
  app.useBodyParser('json', { limit })
  app.useBodyParser('urlencoded', { limit, extended: true })
  app.useBodyParser('text', { limit })
  app.useBodyParser('raw', { limit })
}

const textOf = ({ headers, body }) => String(headers['content-encoding'] ? zlib.gunzipSync(body) : body)

/** Rows that the two parsers which Nest puts in by itself read, and what they keep of them. */
const withRaw = requests.filter(({ headers = {}, error }) =>
  /json|urlencoded/.test(headers['content-type']) && error?.status !== 413)
  .map((row) => row.seen ? { ...row, seen: { ...row.seen, raw: textOf(row) } } : row)

describe(titleOf('@nestjs/core'), () => {
  const compare = (options, prepare, rows) => {
    const side = (name) => async () => startNest((await requires())[name], onePlace, options, prepare)
    alike(side('ours'), side('theirs'), rows)
  }

  describe('with its own parsers, and rawBody', () => compare({ rawBody: true }, () => {}, withRaw))
  describe('with useBodyParser', () => compare({}, byParsers, requests))
})

const avatar = file('avatar')
const photo = file('photos')
const large = file('avatar', 'a.txt', 'x'.repeat(21))
const FORM = 'multipart/form-data; boundary=b'
const bad = (message) => [400, message]
const tooLarge = [413, 'File too large']

/**
 * Route -> what the client sends -> its body, and the status and the message of the answer, if it is not 200; the type,
 * if it is not FORM, and the status over multer, if it is another. What forms there are, test/uploads/multer replays
 * against multer: here is one for each way in which Nest answers.
 */
const forms = {
  single: {
    'a file and fields': [form(field('title'), avatar, field('tags[]', 'a'), field('address[city]', 'X'))],
    'a file under another field': [form(photo), bad('Unexpected file field - photos')],
    'a file over the limit of the module': [form(large), tooLarge],
    JSON: ['{"a":1}', [], 'application/json'],
    'JSON that is broken': ['{', [400], 'application/json'],
    'no body': [undefined, bad('Multipart: Unexpected end of form')],
    'a form without a boundary': [form(avatar), bad('Multipart: Boundary not found'), 'multipart/form-data'],
    'another multipart type': [form(avatar), [415], 'multipart/mixed; boundary=b', { 'nest-11/node_modules': 500 }],
    'a malformed type': [ // for which multer calls next without an error
      form(avatar),
      bad('Multipart: Boundary not found'),
      'multipart/form-data; boundary="',
      { '.': 200, 'nest-11/node_modules': 200 }
    ],
    'a header that is malformed': [
      form(part('Content-Disposition: form-data; name="a"\r\n\u0001\u0002: x')),
      bad('Multipart: Malformed part header')
    ],
    'a field without a name': [form(part('Content-Disposition: form-data')), bad('Field name missing')]
  },
  array: { 'three files': [form(photo, photo, photo), bad('Unexpected file field - photos')] },
  fields: { 'files of both fields': [form(photo, avatar, photo, field('title'))] },
  any: { 'files of any field': [form(photo, file('other', 'o.bin', '\0\r\n'), avatar)] },
  none: { 'a file': [form(avatar), bad('Unexpected file field - avatar')] },
  limits: {
    'too many files': [form(photo, photo, photo), bad('Too many files')],
    'too many fields': [form(...Array(4).fill(field('a'))), bad('Too many fields')],
    'too many parts': [form(...Array(3).fill(field('a')), photo, photo), bad('Too many parts')],
    'a value that is too long': [form(field('a', 'x'.repeat(11))), bad('Field value too long - a')],
    'a name that is too long': [form(field('a'.repeat(21))), bad('Field name too long')],
    'a name that nests too deep': [form(field('a[b][c][d]')), bad('Field name nesting too deep - a[b][c][d]')],
    'an index that is too large': [form(field('d[4]')), bad('Field name array index too large - d[4]')]
  },
  dest: { files: [form(photo, photo, field('title'))] },
  refuses: { 'a file that the filter refuses': [form(avatar), [403, 'no files today']] },
  pipe: {
    'a file that a pipe accepts': [form(avatar)],
    'no file, which a pipe refuses': [form(), bad('File is required')]
  }
}

/** @param {string} folder for files */
const uploadsTo = (folder) => async (load) => {
  const common = await load('@nestjs/common')
  const platform = await load('@nestjs/platform-express')
  const { AnyFilesInterceptor, FileFieldsInterceptor, FileInterceptor, FilesInterceptor, NoFilesInterceptor } = platform
  const limits = {
    fieldNameSize: 20, fieldSize: 10, fields: 3, files: 2, parts: 4, fieldNestingDepth: 2, fieldArrayIndexLimit: 3
  }
  const fileFilter = (req, file, callback) => callback(new common.ForbiddenException('no files today'), false)
  const size = new common.MaxFileSizeValidator({ maxSize: 5 })
  const interceptors = {
    single: [FileInterceptor('avatar')],
    array: [FilesInterceptor('photos', 2)],
    fields: [FileFieldsInterceptor([{ name: 'avatar', maxCount: 1 }, { name: 'photos', maxCount: 2 }])],
    any: [AnyFilesInterceptor()],
    none: [NoFilesInterceptor()],
    limits: [AnyFilesInterceptor({ limits })],
    dest: [FilesInterceptor('photos', 3, { dest: folder })],
    refuses: [FileInterceptor('avatar', { fileFilter })],
    pipe: [FileInterceptor('avatar'), new common.ParseFilePipe({ validators: [size] })]
  }
  const routes = Object.entries(interceptors).map(([path, more]) => [path, [filesOf, ...more]])
  const imports = [platform.MulterModule.register({ limits: { fileSize: 20 } })]
  return { routes: Object.fromEntries(routes), imports }
}

/** What a handler finds on the request, without what differs from run to run. */
function filesOf ({ body, file, files }) {
  const isPlain = body === undefined || Object.getPrototypeOf(body) !== null
  const shown = JSON.stringify({ body, isPlain, file, files },
    (key, value) => key === 'path' ? fs.readFileSync(value, 'utf8') : value)
  return shown.replace(/[0-9a-f]{32}/g, 'random').replace(/"destination":".*?"/g, '')
}

for (const nest of ['.', 'nest-11/node_modules']) {
  describe(`${titleOf(`${nest}/@nestjs/core`)} with uploads`, function () {
    this.timeout(60_000) // npm packs

    const folders = []
    const sides = {}

    before(async () => {
      for (const [side, require] of Object.entries(await requires(nest))) {
        folders.push(createFolder())
        sides[side] = await startNest(require, uploadsTo(folders.at(-1)))
      }
    })

    after(async () => {
      await Promise.all(Object.values(sides).map((side) => side.close()))
      folders.forEach(remove)
    })

    for (const [route, rows] of Object.entries(forms)) {
      for (const [title, [body, [status = 200, message] = [], type = FORM, ofMulter = {}]] of Object.entries(rows)) {
        it(`answers ${status} to ${title} (${route})`, async () => {
          const request = { path: `/${route}`, body, headers: { 'content-type': type } }
          const answer = await sides.ours.ask(request)
          assert.equal(answer.status, status, answer.text)
          if (message !== undefined) assert.equal(JSON.parse(answer.text).message, message)
          const other = await sides.theirs.ask(request)
          if (nest in ofMulter) assert.equal(other.status, ofMulter[nest])
          else assert.deepEqual(answer, other)
        })
      }
    }
  })
}
