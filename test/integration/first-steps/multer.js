'use strict'

// This package in multer's place under NestJS, as docs/nestjs.md tells, with
// npm, pnpm and Yarn: in new applications, in those that were installed before,
// and in an image that has the lock file before anything else. Each application
// then tells whose multer it uploads with.

const assert = require('node:assert/strict')
const fs = require('node:fs')
const path = require('node:path')
const listenToAudit = require('../support/advisories')
const blockOf = require('../support/blocks')
const { MANAGERS, startManagers } = require('../support/managers')
const { INSTALL_TIME, write } = require('../support/project')

const PAGE = 'docs/nestjs.md'
const DOCTOR = path.join(__dirname, '../../../bin/doctor.js')
const shim = require('../../../multer/package.json')
const { name, version } = require('../../../package.json')
const { dependencies: nest } = require('nest-11/package.json')

const recipe = JSON.parse(blockOf(PAGE, 'json', /"overrides": { "multer@2"/))
const resolutions = JSON.parse(blockOf(PAGE, 'json', /"resolutions": { "multer"/))
const workspace = blockOf(PAGE, 'yaml', /^overrides:\n {2}multer@2/)
const { dependencies } = recipe
const spec = dependencies.multer

/** Version -> what is written to follow the page. */
const recipes = {
  'npm@9': { 'package.json': recipe },
  'npm@10': { 'package.json': recipe },
  'npm@11': { 'package.json': recipe },
  'pnpm@10': { 'package.json': { dependencies, pnpm: { overrides: { 'multer@2': spec } } } },
  'pnpm@12': { 'package.json': { dependencies }, 'pnpm-workspace.yaml': workspace },
  'yarn@1': { 'package.json': resolutions },
  '@yarnpkg/cli-dist@4': { 'package.json': resolutions },
  'bun@1': { 'package.json': { dependencies, overrides: { multer: spec } } }
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

  for (const [managerSpec, { bin, install, ci, exec, lock, files = {} }] of Object.entries(MANAGERS)) {
    describe(`by ${managerSpec}`, () => {
      const follow = recipes[managerSpec]
      const create = (dependencies) => managers.createApplication(dependencies, PROGRAM, files)
      let manager

      before(async () => {
        manager = await managers.installManager(managerSpec)
      })

      for (const [title, dependencies] of Object.entries(applications)) {
        it(`is found in an installed application of ${title}, stays, and can be removed`, async () => {
          const app = create(dependencies)
          await app.call(manager, ...install)
          const { nest } = await app.output()
          assert.equal(nest, 'theirs')

          app.follow(follow)
          await app.call(manager, ...install)
          assert.deepEqual(await app.output(), OURS)
          await findReplaced(app, manager, exec)
          await app.call(manager, ...ci)
          assert.deepEqual(await app.output(), OURS)
          await installInImage(app)

          app.remove(lock) // a new one is written beside what is installed
          write(app.folder, files)
          await app.call(manager, ...install)
          assert.deepEqual(await app.output(), OURS)
          await installInImage(app)

          app.follow({ 'pnpm-workspace.yaml': '' })
          await app.call(manager, ...install)
          assert.equal((await app.output()).nest, 'theirs')
        })
      }

      it('is found in a new application', async () => {
        const app = create(nest)
        app.follow(follow)
        await app.call(manager, ...install)
        assert.deepEqual(await app.output(), OURS)
        await installInImage(app)
      })

      for (const [title, dependencies] of Object.entries(applications)) {
        it(`is found in a workspace of ${title}`, async () => {
          const app = await installWorkspace(dependencies)
          await app.call(manager, ...ci)
          assert.deepEqual(await app.output(), OURS)
        })
      }

      /** The application in a folder of its own, the recipe in the root; all is written to the lock file. */
      async function installWorkspace (dependencies) {
        const app = create({})
        const { 'package.json': added, 'pnpm-workspace.yaml': settings = '' } = follow
        write(app.folder, {
          'packages/api/package.json': { name: 'api', version: '1.0.0', dependencies },
          'packages/api/program.js': PROGRAM,
          'program.js': "require('./packages/api/program.js')"
        })
        const isPnpm = bin === 'pnpm'
        app.follow({
          'package.json': { ...added, ...(isPnpm ? {} : { workspaces: ['packages/*'] }) },
          ...(isPnpm ? { 'pnpm-workspace.yaml': `packages:\n  - packages/*\n${settings}` } : {})
        })
        await app.call(manager, ...install)
        assert.deepEqual(await app.output(), OURS)
        for (const place of ['', 'packages/api/']) app.remove(`${place}node_modules`)
        return app
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

      for (const [title, dependencies] of Object.entries(applications)) {
        it(`is written by --write, and taken out by --undo, in an application of ${title}`, async () => {
          const app = create(dependencies)
          const before = JSON.parse(app.read('package.json')) // Yarn 4 lays out the file as it likes
          const env = [`PATH=${path.dirname(manager)}:${process.env.PATH}`,
            `npm_config_user_agent=${managerSpec.replace(/^.*\/cli-dist/, 'yarn').replace('@', '/')}`]
          const doctor = (...args) => app.call('env', ...env, process.execPath, DOCTOR, ...args)
          await doctor('--write') // which installs what is missing first
          assert.deepEqual(await app.output(), OURS)
          await doctor('--expect=multer@2,body-parser@2')
          assert.equal((await doctor('--write')).stdout, 'Nothing to write.\n')
          await app.call(manager, ...ci)
          assert.deepEqual(await app.output(), OURS)
          await doctor('--undo')
          const { nest, own } = await app.output()
          assert.deepEqual([nest, own], ['theirs', 'multer' in dependencies ? 'theirs' : own])
          assert.deepEqual(JSON.parse(app.read('package.json')), before)
        })
      }

      if (bin === 'npm') {
        it('is asked about by `npm audit` under its own names', async () => {
          const app = create(nest)
          app.follow(follow)
          await app.call(manager, ...install)
          const asked = await listenToAudit((url) => app.call(manager, 'audit', `--registry=${url}`))
          assert.deepEqual(asked.map((packages) => [packages[name], packages[shim.name], packages.multer]),
            [[[version], [shim.version], undefined]])
        })

        for (const option of ['--install-links', '--install-strategy=linked']) {
          it(`is found with ${option}`, async () => {
            const app = create(nest)
            app.follow(follow)
            await app.call(manager, ...install, option)
            assert.deepEqual(await app.output(), OURS)
          })
        }
      }

      /** As a Dockerfile does: package files first, then what the lock file says, without anything that was there. */
      async function installInImage (app) {
        const image = create(nest)
        for (const name of ['package.json', lock, 'pnpm-workspace.yaml']) {
          if (fs.existsSync(path.join(app.folder, name))) {
            fs.copyFileSync(path.join(app.folder, name), path.join(image.folder, name))
          }
        }
        await image.call(manager, ...ci)
        assert.deepEqual(await image.output(), OURS)
      }
    })
  }

  it('is found with Plug\'n\'Play of Yarn', async () => {
    const manager = await managers.installManager('@yarnpkg/cli-dist@4')
    const app = managers.createApplication(nest, PROGRAM, { 'yarn.lock': '' })
    const call = async (...args) => (await app.call('env', 'YARN_NODE_LINKER=pnp', manager, ...args)).stdout
    app.follow({ 'package.json': resolutions })
    await call('install', '--no-immutable')
    await call('install', '--immutable')
    assert.deepEqual(JSON.parse(await call('node', 'program.js')), OURS)
    assert.ok(!fs.existsSync(path.join(app.folder, 'node_modules')))
  })

  /** Fails if NestJS or the application has another multer, or one that finds no fast-body-parser. */
  async function findReplaced (app, manager, exec) {
    const program = exec[0] === 'run' ? shim.name : name // Yarn runs the programs of direct dependencies
    await app.call(manager, ...exec, program, '--expect')
    await app.call(manager, ...exec, program, '--expect=multer')
  }
})
