'use strict'

const assert = require('node:assert/strict')
const fs = require('node:fs')
const os = require('node:os')
const path = require('node:path')
const { after, before, describe, it } = require('mocha')
const { loadedPackages } = require('../../../perf/loaded-packages')
const { checkLoaded } = require('../../../perf/provenance')

describe('perf/provenance', () => {
  let folder
  let side

  before(() => {
    folder = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), 'perf-side-')))
    addPackage('node_modules/body-parser', 'fast-body-parser', '0.1.0')
    addPackage('node_modules/express/node_modules/body-parser', 'body-parser', '2.4.0')
    fs.writeFileSync(path.join(folder, 'node_modules/.package-lock.json'), JSON.stringify({
      packages: {
        'node_modules/body-parser': { name: 'fast-body-parser', version: '0.1.0', integrity: 'sha512-ours' },
        'node_modules/express/node_modules/body-parser': { version: '2.4.0', integrity: 'sha512-theirs' }
      }
    }))
    side = {
      letter: 'B',
      node: { version: 'v20.0.0' },
      told: { 'body-parser': { name: 'fast-body-parser', version: '0.1.0', integrity: 'sha512-ours' } },
      apps: { http: { folder } }
    }
  })

  after(() => fs.rmSync(folder, { recursive: true }))

  it('takes what was told', () => {
    check(['node_modules/body-parser'])
  })

  it('refuses another copy of the same name, even next to the right one', () => {
    assert.throws(() => check(['node_modules/express/node_modules/body-parser']), /loaded body-parser 2\.4\.0 from .*, not fast-body-parser 0\.1\.0/)
    assert.throws(() => check(['node_modules/body-parser', 'node_modules/express/node_modules/body-parser']), /not fast-body-parser/)
  })

  it('refuses a server that did not load it', () => {
    assert.throws(() => check([]), /did not load body-parser/)
  })

  it('refuses one that found it outside of its folder', () => {
    const packages = [{ name: 'body-parser', version: '0.1.0', path: path.join(folder, '../node_modules/body-parser') }]
    assert.throws(() => checkLoaded(side, 'http', { nodeVersion: 'v20.0.0', packages }, 'x'), /loaded body-parser/)
  })

  it('refuses another Node.js', () => {
    assert.throws(() => checkLoaded(side, 'http', { nodeVersion: 'v22.0.0', packages: [] }, 'x'), /runs on Node\.js v22\.0\.0, not v20\.0\.0/)
  })

  function check (locations) {
    const cache = Object.fromEntries(locations.map((location) => [path.join(folder, location, 'lib', 'index.js'), {}]))
    checkLoaded(side, 'http', { nodeVersion: 'v20.0.0', packages: loadedPackages(cache) }, 'x')
  }

  function addPackage (location, name, version) {
    fs.mkdirSync(path.join(folder, location, 'lib'), { recursive: true })
    fs.writeFileSync(path.join(folder, location, 'package.json'), JSON.stringify({ name, version }))
  }
})
