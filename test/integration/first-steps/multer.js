'use strict'

// This package in multer's place under NestJS, as docs/nestjs.md tells, with npm, pnpm, Yarn and Bun. Each application
// then tells whose multer it uploads with.

const assert = require('node:assert/strict')
const fs = require('node:fs')
const path = require('node:path')
const blockOf = require('../support/blocks')
const { MANAGERS, startManagers } = require('../support/managers')
const { INSTALL_TIME, write } = require('../support/project')

const PAGE = 'docs/nestjs.md'
const DOCTOR = path.join(__dirname, '../../../bin/doctor.js')
const shim = require('../../../multer/package.json')
const { name } = require('../../../package.json')
const { dependencies: nest } = require('nest-11/package.json')

const recipe = JSON.parse(blockOf(PAGE, 'json', /"overrides": { "multer@2"/))
const resolutions = JSON.parse(blockOf(PAGE, 'json', /"resolutions": { "multer"/))
const workspace = blockOf(PAGE, 'yaml', /^overrides:\n {2}multer@2/)
const { dependencies } = recipe
const spec = dependencies.multer

/** Command -> what is written to follow the page. */
const recipes = {
  npm: () => ({ 'package.json': recipe }),
  pnpm: (version) => version === 'pnpm@10'
    ? { 'package.json': { dependencies, pnpm: { overrides: { 'multer@2': spec } } } }
    : { 'package.json': { dependencies }, 'pnpm-workspace.yaml': workspace },
  yarn: () => ({ 'package.json': resolutions }),
  bun: () => ({ 'package.json': { dependencies, overrides: { multer: spec } } })
}

const applications = {
  NestJS: nest,
  'NestJS and multer': { ...nest, multer: '^2.0.0' }
}

// Uploads a file with the multer that NestJS finds.
const PROGRAM = `
const { createRequire } = require('node:module')
const requireOfNest = createRequire(require.resolve('@nestjs/platform-express'))
const find = (name) => {
  try {
    return require(name)
  } catch (error) {
    if (error.code !== 'MODULE_NOT_FOUND') throw error
  }
}
const whose = (multer) => multer && (new multer.MulterError('LIMIT_FILE_SIZE').status === 413 ? 'ours' : 'theirs')
const multer = requireOfNest('multer')
const app = requireOfNest('express')()
app.post('/', multer().single('file'), (req, res) => res.send(req.file.buffer))
const server = app.listen(0, async () => {
  const body = new FormData()
  body.set('file', new Blob(['hi']), 'a.txt')
  const response = await fetch('http://127.0.0.1:' + server.address().port, { method: 'POST', body })
  console.log(JSON.stringify({ answer: await response.text(), nest: whose(multer), own: whose(find('multer')) }))
  server.close()
})`
const OURS = { answer: 'hi', nest: 'ours', own: 'ours' }

describe('this package in place of multer', function () {
  this.timeout(8 * INSTALL_TIME)

  let managers

  before(async () => {
    managers = await startManagers()
  })

  after(() => managers?.close())

  for (const [version, { bin, install, ci, exec, lock, files = {} }] of Object.entries(MANAGERS)) {
    describe(`by ${version}`, () => {
      const follow = recipes[bin](version)
      const create = (dependencies) => managers.createApplication(dependencies, PROGRAM, files)
      let manager

      before(async () => {
        manager = await managers.installManager(version)
      })

      for (const [title, dependencies] of Object.entries(applications)) {
        it(`is found in an installed application of ${title}, stays, and can be removed`, async () => {
          const app = create(dependencies)
          await app.call(manager, ...install)
          assert.equal((await app.output()).nest, 'theirs')

          app.follow(follow)
          await app.call(manager, ...install)
          assert.deepEqual(await app.output(), OURS)
          const program = exec[0] === 'run' ? shim.name : name // Yarn runs the programs of direct dependencies
          await app.call(manager, ...exec, program, '--expect=multer')
          await app.call(manager, ...ci)
          assert.deepEqual(await app.output(), OURS)

          app.remove(lock) // a new one is written beside what is installed
          write(app.folder, files)
          await app.call(manager, ...install)
          assert.deepEqual(await app.output(), OURS)

          app.follow({ 'pnpm-workspace.yaml': '' })
          await app.call(manager, ...install)
          assert.equal((await app.output()).nest, 'theirs')
        })

        it(`is written by --write, and taken out by --undo, in an application of ${title}`, async () => {
          const app = create(dependencies)
          const before = JSON.parse(app.read('package.json')) // Yarn 4 lays out the file as it likes
          const env = [`PATH=${path.dirname(manager)}:${process.env.PATH}`,
            `npm_config_user_agent=${version.replace(/^.*\/cli-dist/, 'yarn').replace('@', '/')}`]
          const doctor = (...args) => app.call('env', ...env, process.execPath, DOCTOR, ...args)
          await doctor('--write') // which installs what is missing first
          assert.deepEqual(await app.output(), OURS)
          await doctor('--expect=multer@2,body-parser@2')
          assert.equal((await doctor('--write')).stdout, 'Nothing to write.\n')
          await doctor('--undo')
          const { nest, own } = await app.output()
          assert.deepEqual([nest, own], ['theirs', 'multer' in dependencies ? 'theirs' : own])
          assert.deepEqual(JSON.parse(app.read('package.json')), before)
        })
      }

      it('is found in the tarballs, until they are published', async () => {
        const app = create(nest)
        const [own, file] = [managers.tarball, managers.multerTarball].map((tarball) => {
          fs.copyFileSync(tarball, path.join(app.folder, path.basename(tarball)))
          return `file:${path.basename(tarball)}`
        })
        const followed = JSON.parse(JSON.stringify(follow).replaceAll(spec, file))
        followed['package.json'].dependencies[name] = own
        app.follow(followed)
        await app.call(manager, ...install)
        assert.deepEqual(await app.output(), OURS)
      })
    })
  }
})
