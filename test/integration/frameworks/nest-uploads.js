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
const json = { 'content-type': 'application/json' }
const bad = (message) => [400, message]

/** Route -> what the client sends -> status and message, if it is not 200; `headers` beside the form's. */
const rows = {
  single: {
    'a file and fields': {
      body: form(field('title', 'me'), avatar, field('tags[]', 'a'), field('address[city]', 'X'))
    },
    'a file, in chunks': { body: form(avatar), chunked: true },
    'no file': { body: form(field('title', 'me')) },
    'an empty form': { body: form() },
    'an empty file': { body: form(file('avatar', 'a.txt', '')) },
    'a file without a name': { body: form(file('avatar', '', 'hi')) },
    'a name in UTF-8': { body: form(file('avatar', 'é.txt', 'hi')) },
    'a file under another field': { body: form(photo), refused: bad('Unexpected file field - photos') },
    'two files': { body: form(avatar, avatar), refused: bad('Unexpected file field - avatar') },
    'a file over the limit of the module': { body: form(large), refused: [413, 'File too large'] },
    'a file over the limit of the module, in chunks': {
      body: form(large),
      chunked: true,
      refused: [413, 'File too large']
    },
    JSON: { body: '{"a":1}', headers: json },
    'JSON that is broken': { body: '{', headers: json, refused: [400] },
    'no body': { refused: bad('Multipart: Unexpected end of form') },
    'a form without a boundary': {
      body: form(avatar),
      headers: { 'content-type': 'multipart/form-data' },
      refused: bad('Multipart: Boundary not found')
    },
    'another multipart type': {
      body: form(avatar),
      headers: { 'content-type': 'multipart/mixed; boundary=b' },
      refused: [415],
      serverError: ['11']
    },
    'a malformed type': {
      body: form(avatar),
      headers: { 'content-type': 'multipart/form-data; boundary="' },
      refused: bad('Multipart: Boundary not found'),
      passed: true // multer calls next without a word
    },
    'a form that ends within a file': { body: avatar, refused: bad('Multipart: Unexpected end of form') },
    'a form that ends within a field': {
      body: field('title', 'me').slice(0, -4),
      refused: bad('Multipart: Unexpected end of form')
    },
    'a header without its end': {
      body: '--b\r\nContent-Disposition: form-data; name="a"',
      refused: bad('Multipart: Unexpected end of form')
    },
    'a header that is malformed': {
      body: form(part('Content-Disposition: form-data; name="a"\r\n\u0001\u0002: x', '1')),
      refused: bad('Multipart: Malformed part header')
    },
    'a field without a name': {
      body: form(part('Content-Disposition: form-data', '1')),
      refused: bad('Field name missing')
    },
    'gaps in a list': { body: form(field('a[3]', '1'), field('a[1]', '2')) },
    'a name of a prototype': { body: form(field('__proto__', '1'), field('constructor[prototype]', '2')) }
  },
  array: {
    'two files': { body: form(photo, photo) },
    'no file': { body: form() },
    'three files': { body: form(photo, photo, photo), refused: bad('Unexpected file field - photos') }
  },
  fields: {
    'files of both fields': { body: form(photo, avatar, photo, field('title', 'me')) },
    'two files of a field that may have one': {
      body: form(avatar, avatar),
      refused: bad('Unexpected file field - avatar')
    },
    'a field that is not listed': {
      body: form(file('other', 'o.txt', '')),
      refused: bad('Unexpected file field - other')
    }
  },
  any: {
    'files of any field': { body: form(photo, file('other', 'o.bin', '\0\r\n', 'application/octet-stream'), avatar) }
  },
  none: {
    fields: { body: form(field('a', '1'), field('a', '2')) },
    'a file': { body: form(avatar), refused: bad('Unexpected file field - avatar') }
  },
  limits: {
    'what they allow': { body: form(field('a', '1'), photo, avatar) },
    'too many files': { body: form(photo, photo, photo), refused: bad('Too many files') },
    'too many fields': {
      body: form(field('a', '1'), field('a', '1'), field('a', '1'), field('a', '1')),
      refused: bad('Too many fields')
    },
    'too many parts': {
      body: form(field('a', '1'), field('a', '1'), field('a', '1'), photo, photo),
      refused: bad('Too many parts')
    },
    'a value that is too long': { body: form(field('a', 'x'.repeat(11))), refused: bad('Field value too long - a') },
    'a name that is too long': { body: form(field('a'.repeat(21), '1')), refused: bad('Field name too long') },
    'a file that is too large': {
      body: form(file('avatar', 'a.txt', 'x'.repeat(11))),
      refused: [413, 'File too large']
    }
  },
  names: {
    'what they allow': { body: form(field('a[b][c]', '1'), field('d[3]', '2')) },
    'a name that nests too deep': {
      body: form(field('a[b][c][d]', '1')),
      refused: bad('Field name nesting too deep - a[b][c][d]')
    },
    'an index that is too large': {
      body: form(field('d[4]', '1')),
      refused: bad('Field name array index too large - d[4]')
    }
  },
  ofRequest: {
    'a file within the limit of the request': { body: form(avatar), headers: { 'x-size': '2' } },
    'a file over the limit of the request': {
      body: form(avatar),
      headers: { 'x-size': '1' },
      refused: [413, 'File too large']
    }
  },
  utf8: { 'a name in UTF-8': { body: form(file('avatar', 'é.txt', 'hi')) } },
  dest: { files: { body: form(photo, photo, field('title', 'me')) } },
  storage: { files: { body: form(avatar, photo, file('photos', 'q.txt', '')) } },
  skips: {
    'a file that the filter skips': { body: form(avatar, file('b', 'b.png', 'png', 'image/png'), field('a', '1')) }
  },
  refuses: { 'a file that the filter refuses': { body: form(avatar), refused: [403, 'no files today'] } },
  fails: { 'a filter that fails': { body: form(avatar), refused: [500, 'Internal server error'] } },
  throws: { 'a filter that throws': { body: form(avatar), refused: [409, 'thrown'] } },
  rejects: { 'an asynchronous filter that rejects': { body: form(avatar), refused: [410, 'rejected'] } },
  pipe: {
    'a file that a pipe accepts': { body: form(avatar) },
    'no file, which a pipe refuses': { body: form(), refused: bad('File is required') }
  }
}

const LISTED = Object.entries(rows).flatMap(([route, sent]) =>
  Object.entries(sent).map(([title, row]) => ({ route, title, ...row })))

/** A project with that Nest in which this package stands for multer and for body-parser. */
async function install (nest) {
  const folder = createFolder()
  const tarball = `file:${await pack(folder)}`
  const names = ['@nestjs/common', '@nestjs/core', '@nestjs/platform-express', 'rxjs']
  const dependencies = Object.fromEntries(names.map((name) => [name, nest(`${name}/package.json`).version]))
  dependencies['reflect-metadata'] = manifest.dependencies['reflect-metadata'] // does not export its version
  write(folder, {
    'package.json': {
      dependencies: { ...dependencies, ...recipe.dependencies, 'body-parser': tarball, 'fast-body-parser': tarball },
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

    for (const { route, title, headers, refused, passed, serverError, ...request } of LISTED) {
      it(`${refused ? 'refuses' : 'gives'} ${title} (${route})`, async () => {
        const sent = {
          path: `/${route}`,
          ...request,
          headers: { 'content-type': 'multipart/form-data; boundary=b', ...headers }
        }
        const answer = await ours.ask(sent)
        const [status, message] = refused ?? [200]
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
        const { status } = await side.ask({
          path: '/pipe',
          body,
          headers: { 'content-type': 'multipart/form-data; boundary=b' }
        })
        assert.equal(status, 400)
        assert.deepEqual(await removed, ['stored-refused.txt'])
        assert.ok(!fs.readdirSync(folders[1 + index]).includes('stored-refused.txt'))
      }
    })
  })
}
