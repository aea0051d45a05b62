'use strict'

const assert = require('node:assert/strict')
const fs = require('node:fs')
const os = require('node:os')
const path = require('node:path')
const { after, before, describe, it } = require('mocha')
const loadedPackages = require('../../../perf/targets/loaded-packages')
const verifyPackages = require('../../../perf/targets/verify-packages')

describe('perf/targets/verify-packages', () => {
  let folder
  let target

  before(() => {
    folder = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), 'perf-target-')))
    addPackage('node_modules/body-parser', 'fast-body-parser', '0.1.0')
    addPackage('node_modules/express/node_modules/body-parser', 'body-parser', '2.4.0')
    fs.writeFileSync(path.join(folder, 'node_modules/.package-lock.json'), JSON.stringify({
      packages: {
        'node_modules/body-parser': { name: 'fast-body-parser', version: '0.1.0', integrity: 'sha512-ours' },
        'node_modules/express/node_modules/body-parser': { version: '2.4.0', integrity: 'sha512-theirs' }
      }
    }))
    target = {
      letter: 'B',
      node: { version: 'v20.0.0' },
      resolved: { 'body-parser': { name: 'fast-body-parser', version: '0.1.0', integrity: 'sha512-ours' } },
      apps: { http: { folder } }
    }
  })

  after(() => fs.rmSync(folder, { recursive: true }))

  it('accepts the packages of the target', () => {
    check(['node_modules/body-parser'])
  })

  it('refuses another copy of the same name, even next to the right one', () => {
    assert.throws(() => check(['node_modules/express/node_modules/body-parser']), /loaded body-parser 2\.4\.0 from .*, not fast-body-parser 0\.1\.0/)
    assert.throws(() => check(['node_modules/body-parser', 'node_modules/express/node_modules/body-parser']), /not fast-body-parser/)
  })

  it('refuses a server that did not load the package', () => {
    assert.throws(() => check([]), /did not load body-parser/)
  })

  it('refuses a package from outside of the folder', () => {
    const packages = [{ name: 'body-parser', version: '0.1.0', path: path.join(folder, '../node_modules/body-parser') }]
    assert.throws(() => verifyPackages(target, 'http', { nodeVersion: 'v20.0.0', packages }, 'x'), /loaded body-parser/)
  })

  it('refuses another Node.js', () => {
    assert.throws(() => verifyPackages(target, 'http', { nodeVersion: 'v22.0.0', packages: [] }, 'x'), /runs on Node\.js v22\.0\.0, not v20\.0\.0/)
  })

  function check (locations) {
    const cache = Object.fromEntries(locations.map((location) => [path.join(folder, location, 'lib', 'index.js'), {}]))
    verifyPackages(target, 'http', { nodeVersion: 'v20.0.0', packages: loadedPackages(cache) }, 'x')
  }

  function addPackage (location, name, version) {
    fs.mkdirSync(path.join(folder, location, 'lib'), { recursive: true })
    fs.writeFileSync(path.join(folder, location, 'package.json'), JSON.stringify({ name, version }))
  }
})
