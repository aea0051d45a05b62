'use strict'

// What a serverless function carries: the tree that npm installs, and bundles.
// The figures are shown; body-parser's are beside them.

const assert = require('node:assert/strict')
const fs = require('node:fs')
const path = require('node:path')
const esbuild = require('esbuild')
const { INSTALL_TIME, install, remove, write } = require('../support/project')

const trees = {
  'fast-body-parser': (tarball) => ({ dependencies: { 'fast-body-parser': tarball } }),
  'body-parser': () => ({ dependencies: { 'body-parser': '2.4.0' } })
}
// What no request needs that has JSON in UTF-8, `type` as it is, and no DEBUG.
const SPARED = ['debug', 'qs', 'secure-json-parse', 'type-is']

const bundles = [
  ['fast-body-parser', 'fast-body-parser', []],
  ['fast-body-parser', 'fast-body-parser/json', []],
  ['fast-body-parser', 'fast-body-parser/json', SPARED],
  ['body-parser', 'body-parser', []],
  ['body-parser', 'body-parser/json', []]
]

describe('size', function () {
  this.timeout(2 * INSTALL_TIME)

  const folders = {}

  before(async () => {
    for (const [name, manifest] of Object.entries(trees)) folders[name] = await install(manifest)
  })

  after(() => Object.values(folders).forEach(remove))

  it('of the tree: the packages of body-parser, and one more', () => {
    const [ours, theirs] = Object.entries(folders).map(([name, folder]) =>
      measure(name, path.join(folder, 'node_modules')))
    assert.deepEqual(ours.packages.filter((name) => !theirs.packages.includes(name)),
      ['fast-body-parser', 'secure-json-parse'])
  })

  it('of the bundles: nothing is left out that is not told to be', async () => {
    for (const [tree, entry, external] of bundles) {
      const { packages } = await bundle(folders[tree], entry, external)
      assert.ok(packages.includes('http-errors') && packages.includes(tree))
      if (entry === 'fast-body-parser') assert.deepEqual(SPARED.filter((name) => !packages.includes(name)), [])
      assert.deepEqual(external.filter((name) => packages.includes(name)), [])
    }
  })
})

function measure (name, folder) {
  const packages = fs.readdirSync(folder).filter((name) => !name.startsWith('.'))
  const files = packages.flatMap((name) =>
    fs.readdirSync(path.join(folder, name), { recursive: true, withFileTypes: true })).filter((entry) => entry.isFile())
  const bytes = files.reduce((sum, file) => sum + fs.statSync(path.join(file.parentPath ?? file.path, file.name)).size,
    0)
  console.log(`      ${name}: ${packages.length} packages, ${files.length} files, ${kilobytes(bytes)}`)
  return { packages }
}

async function bundle (folder, entry, external) {
  write(folder, { 'entry.js': `module.exports = require('${entry}')` })
  const { metafile: { inputs, outputs }, outputFiles: [file] } = await esbuild.build({
    absWorkingDir: folder,
    entryPoints: [
      'entry.js'
    ],
    bundle: true,
    platform: 'node',
    minify: true,
    external,
    write: false,
    metafile: true
  })
  console.log(`      require('${entry}')${external.length > 0 ? ` without ${external.join(', ')}` : ''}, minified: ${kilobytes(file.contents.length)}${largest(Object.values(outputs)[0].inputs)}`)
  return { packages: Object.keys(inputs).map(packageOf) }
}

/** The packages that take most of a bundle. */
function largest (inputs) {
  const sizes = new Map()
  for (const [file, { bytesInOutput }] of Object.entries(inputs)) {
    sizes.set(packageOf(file), (sizes.get(packageOf(file)) ?? 0) + bytesInOutput)
  }
  const [first, second] = [...sizes].sort(([, a], [, b]) => b - a)
  return `, of which ${[first, second].map(([name, bytes]) => `${name} ${kilobytes(bytes)}`).join(', ')}`
}

function packageOf (file) {
  return file.split('/')[1]
}

function kilobytes (bytes) {
  return `${(bytes / 1000).toFixed(0)} kB`
}
