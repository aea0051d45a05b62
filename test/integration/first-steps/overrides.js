'use strict'

// This package under Express, as the README and docs/under-express.md tell, with npm, pnpm, Yarn and Bun: in
// applications that were installed before, as a package manager may keep what it has. Each then tells what it parses
// with.

const assert = require('node:assert/strict')
const fs = require('node:fs')
const path = require('node:path')
const blockOf = require('../support/blocks')
const { MANAGERS, startManagers } = require('../support/managers')
const { INSTALL_TIME } = require('../support/project')

const { name } = require('../../../package.json')
const recipe = JSON.parse(blockOf('README.md', 'json', /"overrides"/))
const recipeOf4 = JSON.parse(blockOf('docs/under-express.md', 'json', /"overrides": { "body-parser":/))
const resolutions = JSON.parse(blockOf('docs/under-express.md', 'json', /"resolutions"/))
const workspace = blockOf('docs/under-express.md', 'yaml', /^overrides:/)

const application = { express: '^5', 'body-parser': '^2', 'json-server': '^0.17.4' } // which has Express 4

/** Command -> what is written to follow the page. */
const recipes = {
  npm: () => ({ 'package.json': recipe }),
  pnpm: (version) => version === 'pnpm@10'
    ? { 'package.json': { pnpm: { overrides: { 'body-parser@2': recipe.dependencies['body-parser'] } } } }
    : { 'pnpm-workspace.yaml': workspace },
  yarn: () => ({ 'package.json': resolutions }), // Yarn 4 of an Express 4, too
  bun: () => ({ 'package.json': { dependencies: recipe.dependencies, overrides: recipe.dependencies } }) // the same
}

/** What json-server gets for itself, and what its Express 4 gets: an override of Bun has no version. */
const serverOf = (spec) => {
  const isOurs = [spec.startsWith('bun'), /^(bun|@yarnpkg)/.test(spec)]
  return isOurs.map((own) => own ? name : 'body-parser')
}

// A middleware of this package has a function `read`; one of body-parser has none.
const PROGRAM = `
const { createRequire } = require('node:module')
const express = require('express')
const of = (require, name) => {
  try {
    return typeof require(name).json().read === 'function' ? 'fast-body-parser' : 'body-parser'
  } catch (error) {
    if (error.code !== 'MODULE_NOT_FOUND') throw error
  }
}
const requireOfServer = (() => {
  try {
    return createRequire(require.resolve('json-server'))
  } catch {}
})()
const app = express()
app.use(express.json(), (req, res) => res.json(req.body))
const server = app.listen(0, async () => {
  const headers = { 'content-type': 'application/json' }
  const url = 'http://127.0.0.1:' + server.address().port
  const response = await fetch(url, { method: 'POST', headers, body: '{"a":1}' })
  console.log(JSON.stringify({
    answer: await response.text(),
    express: of(require, 'express'),
    own: of(require, 'body-parser'),
    server: requireOfServer && [of(requireOfServer, 'body-parser'), of(requireOfServer, 'express')]
  }))
  server.close()
})`

describe('this package under Express', function () {
  this.timeout(5 * INSTALL_TIME)

  let managers

  before(async () => {
    managers = await startManagers()
  })

  after(() => managers?.close())

  /** Where npm has put body-parser, by its lock file. */
  function placesOf (folder) {
    const { packages } = JSON.parse(fs.readFileSync(path.join(folder, 'package-lock.json'), 'utf8'))
    return Object.keys(packages).filter((place) => /(^|\/)node_modules\/body-parser$/.test(place))
  }

  for (const [spec, { bin, install, ci, exec, files }] of Object.entries(MANAGERS)) {
    it(`replaces body-parser 2 in an installed application, and stays, by ${spec}`, async () => {
      const manager = await managers.installManager(spec)
      const app = managers.createApplication(application, PROGRAM, files)
      await app.call(manager, ...install)
      assert.equal((await app.output()).express, 'body-parser')

      app.follow(recipes[bin](spec))
      const expected = { answer: '{"a":1}', express: name, own: name, server: serverOf(spec) }
      await app.call(manager, ...install)
      assert.deepEqual(await app.output(), expected)
      await app.call(manager, ...ci)
      assert.deepEqual(await app.output(), expected)
      app.remove('node_modules')
      const { stderr } = await app.call(manager, ...(bin === 'npm' ? install : ci))
      assert.equal(stderr.includes('in the same destination'), spec === 'yarn@1', stderr)
      assert.deepEqual(await app.output(), expected)

      const { stdout } = await app.call(manager, ...exec, name, '--expect', '--json')
      const { uses, advice } = JSON.parse(stdout)
      const ofExpress5 = uses.filter(({ host }) => host.name === 'express' && host.version.startsWith('5.'))
      assert.deepEqual(ofExpress5.map(({ status }) => status), ['replaced'], stdout)
      assert.ok(!advice.some((text) => text.includes('add this')), stdout)
    })
  }

  it('is put under Express 4, once copies that npm keeps are removed', async () => {
    const app = managers.createApplication({ express: '^4', 'body-parser': '1.20.3' }, PROGRAM)
    await app.call('npm', 'install')
    assert.equal(placesOf(app.folder).length, 2)
    app.follow({ 'package.json': recipeOf4 })
    await app.call('npm', 'install')
    const ask = app.call('npx', name, '--expect')
    await assert.rejects(ask, ({ code, stdout }) => code === 1 && /not replaced +express 4/.test(stdout))
    await app.call('npx', name, '--write')
    await app.call('npx', name, '--expect=body-parser')
    assert.deepEqual(placesOf(app.folder), ['node_modules/body-parser'])
    const { answer, express } = await app.output()
    assert.deepEqual([answer, express], ['{"a":1}', name])
  })
})
