'use strict'

const assert = require('node:assert/strict')
const { execFileSync } = require('node:child_process')
const fs = require('node:fs')
const path = require('node:path')
const manifest = require('../../package.json')
const lock = require('../../package-lock.json')
const filesIn = require('../../tools/files-in')

const ROOT = path.join(__dirname, '../..')

/** The files of a folder, whatever separates them here. */
function pathsIn (folder) {
  return filesIn(path.join(ROOT, folder)).map((name) => `${folder}/${name.replaceAll(path.sep, '/')}`)
}

describe('the package', () => {
  let files

  before(() => {
    const output = execFileSync('npm', ['pack', '--dry-run', '--json', '--ignore-scripts'], {
      cwd: ROOT,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore']
    })
    const [packed] = Object.values(JSON.parse(output)) // an array, or an object by name
    files = packed.files.map((file) => file.path)
  })

  it('contains what users need, and nothing else', () => {
    const modules = pathsIn('lib')
    for (const name of modules) assert.match(name, /^lib\/(?:[a-z-]+\/){0,2}[a-z0-9-]+\.js$/)
    for (const name of pathsIn('bin')) assert.match(name, /^bin\/(?:doctor\/(?:write\/)?)?[a-z-]+\.js$/)
    for (const name of pathsIn('types')) assert.match(name, /^types\/[a-z-]+\.d\.ts$/)
    for (const name of pathsIn('docs')) assert.match(name, /^docs\/(?:[a-zA-Z0-9-]+\.md|images\/[a-z]+\.svg)$/)
    assert.deepEqual(files.toSorted(), [
      'HISTORY.md', 'LICENSE', 'README.md', 'SECURITY.md', 'index.d.ts',
      'index.js', 'llms.txt', 'package.json',
      ...modules, ...pathsIn('bin'), ...pathsIn('docs'), ...pathsIn('types')
    ].sort())
  })

  it('has a package for multer\'s place, of a version above multer\'s in the same range', () => {
    const { name, version, dependencies } = require('../../multer/package.json')
    const [ours, theirs] = [version,
      require('multer/package.json').version].map((version) => version.split('.').map(Number))
    assert.equal(name, 'fast-multer')
    assert.deepEqual(dependencies, { 'fast-body-parser': `~${manifest.version}` })
    assert.deepEqual(ours.slice(0, 2), theirs.slice(0, 2))
    assert.ok(ours[2] > theirs[2])
  })

  it('has a program that needs no other package, and is loaded by no parser', () => {
    const sources = (names) => names.map((name) => fs.readFileSync(path.join(ROOT, name), 'utf8')).join('\n')
    for (const [, id] of sources(pathsIn('bin')).matchAll(/\brequire\('(.*?)'\)/g)) assert.match(id, /^(?:node:|\.)/)
    assert.doesNotMatch(sources(['index.js', 'multer/index.js', ...pathsIn('lib')]), /\bbin\/|\bdoctor\b/)
    assert.deepEqual(manifest.bin, { 'fast-body-parser': 'bin/doctor.js' })
    assert.match(fs.readFileSync(path.join(ROOT, 'bin/doctor.js'), 'utf8'), /^#!\/usr\/bin\/env node\n/)
  })

  it('installs forty-one packages in all, none of which runs a script', () => {
    const installed = Object.entries(lock.packages).filter(([place, { dev, peer, link }]) => {
      return place.startsWith('node_modules/') && !dev && !peer && !link
    })
    assert.deepEqual(installed.map(([place]) => place.slice('node_modules/'.length)).sort(), [
      'async-function', 'async-generator-function', 'bytes', 'call-bind-apply-helpers', 'call-bound', 'content-type',
      'debug', 'depd', 'dunder-proto', 'es-define-property', 'es-errors', 'es-object-atoms', 'function-bind',
      'generator-function', 'get-intrinsic', 'get-proto', 'gopd', 'has-symbols', 'hasown', 'http-errors', 'iconv-lite',
      'inherits', 'math-intrinsics', 'media-typer', 'mime-db', 'mime-types', 'ms', 'object-inspect', 'qs', 'raw-body',
      'safer-buffer', 'secure-json-parse', 'setprototypeof', 'side-channel', 'side-channel-list', 'side-channel-map',
      'side-channel-weakmap', 'statuses', 'toidentifier', 'type-is', 'unpipe'
    ])
    for (const [place, { hasInstallScript, integrity }] of installed) {
      assert.equal(hasInstallScript, undefined, place)
      assert.match(integrity, /^sha512-/, place)
    }
  })
})
