'use strict'

// This package under Express, as the README and docs/migrating.md tell, with
// npm, pnpm and Yarn: in applications that were installed before, as a package
// manager may keep what it has. Each application then tells what it parses with.

const assert = require('node:assert/strict')
const { once } = require('node:events')
const fs = require('node:fs')
const http = require('node:http')
const path = require('node:path')
const zlib = require('node:zlib')
const startRegistry = require('../support/registry')
const { INSTALL_TIME, ROOT, createFolder, pack, remove, run, write } = require('../support/project')

const { name, version } = require('../../../package.json')
const recipe = JSON.parse(blockOf('README.md', 'json', /"overrides"/))
const recipeOf4 = JSON.parse(blockOf('docs/migrating.md', 'json', /"overrides": { "body-parser":/))
const removal = blockOf('docs/migrating.md', 'sh', /package-lock/)
const resolutions = JSON.parse(blockOf('docs/migrating.md', 'json', /"resolutions"/))
const workspace = blockOf('docs/migrating.md', 'yaml', /^overrides:/)

const applications = {
  'Express 5': { express: '^5' },
  'Express 5 and body-parser': { express: '^5', 'body-parser': '^2' },
  'Express 5 and json-server, which has Express 4': { express: '^5', 'json-server': '^0.17.4' }
}
const whole = { 'Express 5, body-parser and json-server': Object.assign({}, ...Object.values(applications)) }

/** Each as npm installs it: what it is called with, and what is written to follow the page. */
const managers = {
  'npm@9': npm(),
  'npm@10': npm(),
  'npm@11': npm(),
  'pnpm@10': pnpm({ 'package.json': { pnpm: { overrides: { 'body-parser@2': recipe.dependencies['body-parser'] } } } }),
  'pnpm@12': pnpm({ 'pnpm-workspace.yaml': workspace }),
  'yarn@1': { bin: 'yarn', again: ['--frozen-lockfile'], follow: { 'package.json': resolutions } },
  '@yarnpkg/cli-dist@4': { bin: 'yarn', first: ['--no-immutable'], again: ['--immutable'], follow: { 'package.json': resolutions }, reaches4: true }
}

function npm () {
  return { bin: 'npm', command: 'ci', follow: { 'package.json': recipe }, tried: applications }
}

function pnpm (follow) {
  return { bin: 'pnpm', first: ['--no-frozen-lockfile'], again: ['--frozen-lockfile'], follow }
}

// A middleware of this package has a function `read`; one of body-parser has none.
const PROGRAM = `
const { createRequire } = require('node:module')
const express = require('express')
const packageOf = (parser) => typeof parser.read === 'function' ? 'fast-body-parser' : 'body-parser'
const of = (require, name, use) => {
  try {
    return packageOf(use(require(name)))
  } catch (error) {
    if (error.code !== 'MODULE_NOT_FOUND') throw error
  }
}
const json = (module) => module.json()
const requireOfServer = (() => {
  try {
    return createRequire(require.resolve('json-server'))
  } catch {}
})()
const app = express()
app.use(express.json(), (req, res) => res.json(req.body))
const server = app.listen(0, async () => {
  const headers = { 'content-type': 'application/json' }
  const response = await fetch('http://127.0.0.1:' + server.address().port, { method: 'POST', headers, body: '{"a":1}' })
  console.log(JSON.stringify({
    answer: await response.text(),
    express: of(require, 'express', json),
    own: of(require, 'body-parser', json),
    server: requireOfServer && [of(requireOfServer, 'body-parser', json), of(requireOfServer, 'express', json)]
  }))
  server.close()
})`

/** The one block of a page in that language that has such a text. */
function blockOf (page, language, pattern) {
  const text = fs.readFileSync(path.join(ROOT, page), 'utf8')
  const blocks = Array.from(text.matchAll(/^```(.*)\n([^]*?)^```$/gm), ([, info, code]) => ({ info, code }))
  const found = blocks.filter(({ info, code }) => info === language && pattern.test(code))
  assert.equal(found.length, 1, `${page}, ${pattern}`)
  return found[0].code
}

describe('this package under Express', function () {
  this.timeout(5 * INSTALL_TIME)

  const { npm_config_local_prefix: _, ...inherited } = process.env // the folder that an outer `npm run` works in
  const folders = []
  let env
  let registry
  let tarball

  before(async () => {
    const home = newFolder()
    tarball = await pack(home)
    registry = await startRegistry(tarball)
    env = {
      ...inherited,
      npm_config_audit: 'false',
      npm_config_cache: path.join(home, 'npm'),
      npm_config_fund: 'false',
      npm_config_loglevel: 'error',
      npm_config_prefer_offline: 'true',
      XDG_CACHE_HOME: home, // of pnpm and Yarn 1
      XDG_DATA_HOME: home,
      XDG_STATE_HOME: home,
      YARN_ENABLE_TELEMETRY: '0',
      YARN_GLOBAL_FOLDER: path.join(home, 'yarn'),
      YARN_NODE_LINKER: 'node-modules',
      YARN_NPM_REGISTRY_SERVER: registry.url,
      YARN_UNSAFE_HTTP_WHITELIST: '127.0.0.1'
    }
  })

  after(() => {
    registry?.close()
    folders.forEach(remove)
  })

  function newFolder () {
    const folder = createFolder()
    folders.push(folder)
    return folder
  }

  /** A project that uses the registry of this test. */
  function createApplication (dependencies) {
    const folder = newFolder()
    const manifest = { name: 'application', private: true, dependencies }
    write(folder, { '.npmrc': `registry=${registry.url}\n`, 'package.json': manifest, 'program.js': PROGRAM })
    const call = (command, ...args) => run(command, args, { cwd: folder, env, timeout: INSTALL_TIME })
    return {
      folder,
      call,
      follow: ({ 'package.json': { dependencies: added, ...others } = {}, ...files }) =>
        write(folder, { ...files, 'package.json': { ...manifest, dependencies: { ...dependencies, ...added }, ...others } }),
      parsers: async () => JSON.parse((await call(process.execPath, 'program.js')).stdout)
    }
  }

  /** Where npm has put body-parser, by its lock file. */
  function placesOf (folder) {
    const { packages } = JSON.parse(fs.readFileSync(path.join(folder, 'package-lock.json'), 'utf8'))
    return Object.keys(packages).filter((place) => /(^|\/)node_modules\/body-parser$/.test(place))
  }

  const linesOf = (list) => list.split('\n').filter((line) => line.includes('body-parser@'))

  for (const [spec, { bin, command = 'install', first = [], again = [], follow, reaches4 = false, tried = whole }] of Object.entries(managers)) {
    describe(`by ${spec}`, () => {
      let manager

      before(async () => {
        const folder = newFolder()
        write(folder, { 'package.json': { private: true } })
        await run('npm', ['install', spec], { cwd: folder, env, timeout: INSTALL_TIME })
        manager = path.join(folder, 'node_modules', '.bin', bin)
      })

      for (const [title, dependencies] of Object.entries(tried)) {
        it(`replaces body-parser 2 in an installed application of ${title}, and stays`, async () => {
          const app = createApplication(dependencies)
          if (spec.startsWith('@yarnpkg')) write(app.folder, { 'yarn.lock': '' }) // the root of a project
          await app.call(manager, 'install', ...first)
          assert.equal((await app.parsers()).express, 'body-parser')

          app.follow(follow)
          const expected = {
            answer: '{"a":1}',
            express: name,
            own: name,
            ...('json-server' in dependencies ? { server: ['body-parser', reaches4 ? name : 'body-parser'] } : {})
          }
          await app.call(manager, 'install', ...first)
          assert.deepEqual(await app.parsers(), expected)
          await app.call(manager, command, ...again)
          assert.deepEqual(await app.parsers(), expected)
          fs.rmSync(path.join(app.folder, 'node_modules'), { recursive: true })
          const { stderr } = await app.call(manager, 'install', ...again)
          assert.equal(stderr.includes('in the same destination'), spec === 'yarn@1', stderr)
          assert.deepEqual(await app.parsers(), expected)

          if (bin !== 'npm') return
          const { stdout: list } = await app.call(manager, 'ls', 'body-parser') // fails if one is invalid
          for (const part of list.split('express@5').slice(1)) {
            assert.ok(linesOf(part)[0].includes(`body-parser@npm:${name}@${version}`), list)
          }
        })
      }

      it('replaces body-parser 2 by the tarball, until it is published', async () => {
        const file = path.basename(tarball)
        const app = createApplication(applications['Express 5 and body-parser'])
        if (spec.startsWith('@yarnpkg')) write(app.folder, { 'yarn.lock': '' })
        await app.call(manager, 'install', ...first)
        fs.copyFileSync(tarball, path.join(app.folder, file))
        app.follow(JSON.parse(JSON.stringify(follow).replaceAll(recipe.dependencies['body-parser'], `file:${file}`)))
        await app.call(manager, 'install', ...first)
        const { express, own } = await app.parsers()
        assert.deepEqual([express, own], [name, name])
      })
    })
  }

  it('names the tarball that `npm pack` writes', () => {
    const file = path.basename(tarball)
    for (const page of ['README.md', 'docs/migrating.md']) assert.ok(fs.readFileSync(path.join(ROOT, page), 'utf8').includes(file), page)
  })

  it('is put into a new application', async () => {
    const app = createApplication({ express: '^5' })
    app.follow({ 'package.json': recipe })
    await app.call('npm', 'install')
    const { express, own } = await app.parsers()
    assert.deepEqual([express, own], [name, name])
  })

  it('is asked about by `npm audit` under its own name', async () => {
    const app = createApplication({ express: '^5' })
    app.follow({ 'package.json': recipe })
    await app.call('npm', 'install')
    const asked = []
    const advisories = http.createServer(async (req, res) => {
      asked.push(JSON.parse(zlib.gunzipSync(Buffer.concat(await req.toArray()))))
      res.end('{}')
    }).listen(0, '127.0.0.1')
    await once(advisories, 'listening')
    await app.call('npm', 'audit', `--registry=http://127.0.0.1:${advisories.address().port}`)
    advisories.close()
    assert.deepEqual(asked.map((packages) => [packages[name], packages['body-parser'], packages.qs.length]), [[[version], undefined, 1]])
  })

  it('is put under Express 4, once copies that npm keeps are removed', async () => {
    const app = createApplication({ express: '^4', 'body-parser': '1.20.3' })
    await app.call('npm', 'install')
    assert.equal(placesOf(app.folder).length, 2)
    app.follow({ 'package.json': recipeOf4 })
    await app.call('npm', 'install')
    await app.call('sh', '-c', removal)
    const { stdout: list } = await app.call('npm', 'ls', 'body-parser')
    const lines = linesOf(list)
    assert.ok(lines.length > 1, list)
    for (const line of lines) assert.ok(line.includes(`body-parser@npm:${name}@${version}`), list)
    assert.deepEqual(placesOf(app.folder), ['node_modules/body-parser'])
    const { answer, express } = await app.parsers()
    assert.deepEqual([answer, express], ['{"a":1}', name])
  })
})
