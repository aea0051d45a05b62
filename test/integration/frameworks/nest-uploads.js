'use strict'

// The interceptors of NestJS for uploads, over multer and over this package in
// its place, as docs/nestjs.md puts it there: the same answers.

const assert = require('node:assert/strict')
const fs = require('node:fs')
const { createRequire } = require('node:module')
const path = require('node:path')
const blockOf = require('../support/blocks')
const { INSTALL_TIME, createFolder, pack, remove, run, write } = require('../support/project')
const manifest = require('../package.json')
const startUploads = require('./support/uploads')

const recipe = JSON.parse(blockOf('docs/nestjs.md', 'json', /"overrides": { "multer/))
const recipeOfBodyParser = JSON.parse(blockOf('README.md', 'json', /"overrides"/))
const versions = { 11: createRequire(require.resolve('nest-11/package.json')), 12: require }

const field = (name, value) => `--b\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`
const file = (name, filename, content, type = 'text/plain') =>
  `--b\r\nContent-Disposition: form-data; name="${name}"; filename="${filename}"\r\n` +
  `Content-Type: ${type}\r\n\r\n${content}\r\n`
const form = (...parts) => `${parts.join('')}--b--\r\n`
const part = (headers, content) => `--b\r\n${headers}\r\n\r\n${content}\r\n`
const avatar = file('avatar', 'a.txt', 'hi')
const photo = file('photos', 'p.txt', 'photo')
const large = file('avatar', 'a.txt', 'x'.repeat(21))
const FORM = { 'content-type': 'multipart/form-data; boundary=b' }
const json = { 'content-type': 'application/json' }
const bad = (message) => [400, message]
const tooLarge = [413, 'File too large']

/**
 * Route -> what the client sends -> its body, and the status and the message of the answer, if it is not 200; then what
 * else there is of the request, and of the answer over multer. What forms there are, test/uploads/multer replays
 * against multer: here is one for each way in which Nest answers.
 */
const rows = {
  single: {
    'a file and fields': [form(field('title', 'me'), avatar, field('tags[]', 'a'), field('address[city]', 'X'))],
    'a file, in chunks': [form(avatar), [], { chunked: true }],
    'no file': [form(field('title', 'me'))],
    'a name in UTF-8': [form(file('avatar', 'é.txt', 'hi'))],
    'a file under another field': [form(photo), bad('Unexpected file field - photos')],
    'a file over the limit of the module': [form(large), tooLarge],
    'a file over the limit of the module, in chunks': [form(large), tooLarge, { chunked: true }],
    JSON: ['{"a":1}', [], { headers: json }],
    'JSON that is broken': ['{', [400], { headers: json }],
    'no body': [undefined, bad('Multipart: Unexpected end of form')],
    'a form without a boundary': [
      form(avatar), bad('Multipart: Boundary not found'), { headers: { 'content-type': 'multipart/form-data' } }
    ],
    'another multipart type': [
      form(avatar), [415], { headers: { 'content-type': 'multipart/mixed; boundary=b' }, serverError: ['11'] }
    ],
    'a malformed type': [ // for which multer calls next without an error
      form(avatar),
      bad('Multipart: Boundary not found'),
      { headers: { 'content-type': 'multipart/form-data; boundary="' }, passed: true }
    ],
    'a form that ends within a file': [avatar, bad('Multipart: Unexpected end of form')],
    'a header that is malformed': [
      form(part('Content-Disposition: form-data; name="a"\r\n\u0001\u0002: x', '1')),
      bad('Multipart: Malformed part header')
    ],
    'a field without a name': [form(part('Content-Disposition: form-data', '1')), bad('Field name missing')],
    'a name of a prototype': [form(field('__proto__', '1'), field('constructor[prototype]', '2'))]
  },
  array: {
    'two files': [form(photo, photo)],
    'three files': [form(photo, photo, photo), bad('Unexpected file field - photos')]
  },
  fields: {
    'files of both fields': [form(photo, avatar, photo, field('title', 'me'))],
    'a field that is not listed': [form(file('other', 'o.txt', '')), bad('Unexpected file field - other')]
  },
  any: {
    'files of any field': [form(photo, file('other', 'o.bin', '\0\r\n', 'application/octet-stream'), avatar)]
  },
  none: {
    fields: [form(field('a', '1'), field('a', '2'))],
    'a file': [form(avatar), bad('Unexpected file field - avatar')]
  },
  limits: {
    'what they allow': [form(field('a', '1'), photo, avatar)],
    'too many files': [form(photo, photo, photo), bad('Too many files')],
    'too many fields': [form(...Array(4).fill(field('a', '1'))), bad('Too many fields')],
    'too many parts': [form(...Array(3).fill(field('a', '1')), photo, photo), bad('Too many parts')],
    'a value that is too long': [form(field('a', 'x'.repeat(11))), bad('Field value too long - a')],
    'a name that is too long': [form(field('a'.repeat(21), '1')), bad('Field name too long')],
    'a file that is too large': [form(file('avatar', 'a.txt', 'x'.repeat(11))), tooLarge]
  },
  names: {
    'what they allow': [form(field('a[b][c]', '1'), field('d[3]', '2'))],
    'a name that nests too deep': [form(field('a[b][c][d]', '1')), bad('Field name nesting too deep - a[b][c][d]')],
    'an index that is too large': [form(field('d[4]', '1')), bad('Field name array index too large - d[4]')]
  },
  ofRequest: {
    'a file within the limit of the request': [form(avatar), [], { headers: { 'x-size': '2' } }],
    'a file over the limit of the request': [form(avatar), tooLarge, { headers: { 'x-size': '1' } }]
  },
  utf8: { 'a name in UTF-8': [form(file('avatar', 'é.txt', 'hi'))] },
  dest: { files: [form(photo, photo, field('title', 'me'))] },
  storage: { files: [form(avatar, photo, file('photos', 'q.txt', ''))] },
  skips: {
    'a file that the filter skips': [form(avatar, file('b', 'b.png', 'png', 'image/png'), field('a', '1'))]
  },
  refuses: { 'a file that the filter refuses': [form(avatar), [403, 'no files today']] },
  fails: { 'a filter that fails': [form(avatar), [500, 'Internal server error']] },
  throws: { 'a filter that throws': [form(avatar), [409, 'thrown']] },
  rejects: { 'an asynchronous filter that rejects': [form(avatar), [410, 'rejected']] },
  pipe: {
    'a file that a pipe accepts': [form(avatar)],
    'no file, which a pipe refuses': [form(), bad('File is required')]
  }
}

const LISTED = Object.entries(rows).flatMap(([route, sent]) =>
  Object.entries(sent).map(([title, [body, expected = [], more]]) => ({ route, title, body, expected, ...more })))

/** A project with that Nest in which this package stands for multer and for body-parser. */
async function install (nest) {
  const folder = createFolder()
  const tarball = `file:${await pack(folder)}`
  const multer = `file:${await pack(folder, 'multer')}` // the page names a version, which is not published yet
  const names = ['@nestjs/common', '@nestjs/core', '@nestjs/platform-express', 'rxjs']
  const dependencies = Object.fromEntries(names.map((name) => [name, nest(`${name}/package.json`).version]))
  dependencies['reflect-metadata'] = manifest.dependencies['reflect-metadata'] // does not export its version
  write(folder, {
    'package.json': {
      dependencies: { ...dependencies, multer, 'body-parser': tarball, 'fast-body-parser': tarball },
      overrides: { ...recipe.overrides, ...recipeOfBodyParser.overrides }
    }
  })
  const { npm_config_local_prefix: _, ...env } = process.env
  await run('npm', ['install', '--no-audit', '--no-fund', '--loglevel=error', '--prefer-offline'],
    { cwd: folder, env, timeout: INSTALL_TIME })
  return folder
}

for (const [version, nest] of Object.entries(versions)) {
  describe(`NestJS ${version} with uploads`, function () {
    this.timeout(2 * INSTALL_TIME)

    const folders = []
    let ours
    let theirs
    let requireOurs

    before(async () => {
      folders.push(await install(nest), createFolder(), createFolder())
      const [project, ...places] = folders
      requireOurs = createRequire(path.join(project, 'index.js'))
      ours = await startUploads(requireOurs, places[0])
      theirs = await startUploads(nest, places[1])
    })

    after(async () => {
      await ours?.close()
      await theirs?.close()
      folders.forEach(remove)
    })

    it('has this package for multer, and for body-parser', () => {
      const requireOfNest = createRequire(requireOurs.resolve('@nestjs/platform-express'))
      const requireOfExpress = createRequire(requireOfNest.resolve('express'))
      assert.equal(ours.multer, requireOurs('fast-body-parser/lib/types/multer'))
      assert.notEqual(theirs.multer, ours.multer)
      assert.equal(requireOfExpress('body-parser/package.json').name, 'fast-body-parser')
    })

    for (const { route, title, headers, expected, passed, serverError, ...request } of LISTED) {
      const [status = 200, message] = expected
      it(`${status === 200 ? 'gives' : 'refuses'} ${title} (${route})`, async () => {
        const sent = { path: `/${route}`, ...request, headers: { ...FORM, ...headers } }
        const answer = await ours.ask(sent)
        assert.equal(answer.status, status, answer.text)
        if (message !== undefined) assert.equal(JSON.parse(answer.text).message, message)
        const other = await theirs.ask(sent)
        if (serverError?.includes(version)) assert.equal(other.status, 500)
        else if (passed) assert.equal(other.status, 200)
        else assert.deepEqual(answer, other)
      })
    }

    it('removes the file that a pipe refuses', async () => {
      for (const [index, side] of [ours, theirs].entries()) {
        const removed = side.removed()
        const body = form(file('avatar', 'refused.txt', 'too large'))
        const { status } = await side.ask({ path: '/pipe', body, headers: FORM })
        assert.equal(status, 400)
        assert.deepEqual(await removed, ['stored-refused.txt'])
        assert.ok(!fs.readdirSync(folders[1 + index]).includes('stored-refused.txt'))
      }
    })
  })
}
