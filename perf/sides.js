'use strict'

// A side is what is compared: real apps, each installed by npm in a cached
// folder of its own, with the parser under it as `overrides` put it there.

const { createHash } = require('node:crypto')
const fs = require('node:fs')
const path = require('node:path')
const defaults = require('./defaults')
const Failure = require('./failure')
const { describeCommit } = require('./machine')
const { install, installedPackages, isInstalled, pack } = require('./npm')
const { makeWhole, withFolder } = require('./temporary')

const ROOT = path.join(__dirname, '..')

/**
 * @typedef {object} Side
 * @property {string} letter `A` or `B`
 * @property {Record<string, string>} overrides as they were asked for
 * @property {Record<string, { name: string, version: string, integrity: string }>} told
 *   what each overridden package must turn out to be
 * @property {{ hash: string, clean: boolean } | null} commit that the working tree was on
 * @property {{ path: string, version: string | null }} node
 * @property {Record<string, { folder: string, packages: Record<string, string> }>} apps
 */

/**
 * Installs one side.
 *
 * @param {string} letter
 * @param {Record<string, string>} overrides package name -> npm spec; the
 *   parser is this working tree if `body-parser` is not among them
 * @param {string[]} appNames keys of `defaults.apps`
 * @param {string} cwd what relative specs start from
 * @returns {Promise<Side>}
 */
async function prepareSide (letter, overrides, appNames, cwd) {
  const day = new Date().toISOString().slice(0, 10)
  const { node: nodeSpec, ...packages } = overrides
  const commit = describeCommit(ROOT) // of what is packed next
  const told = {}
  const tarballs = {}
  for (const [name, spec] of Object.entries({ 'body-parser': ROOT, ...packages })) {
    const packed = await packSpec(name, spec, cwd)
    tarballs[name] = packed.tarball
    told[name] = { name: packed.name, version: packed.version, integrity: packed.integrity }
  }
  const node = nodeSpec === undefined
    ? { path: process.execPath, version: process.version }
    : await prepareNode(nodeSpec, day)
  const apps = {}
  for (const name of appNames) {
    apps[name] = await prepareApp(letter, defaults.apps[name], tarballs, day)
  }
  return { letter, overrides, commit, told, node, apps }
}

/** Whatever the spec is, it becomes a tarball, and npm its one installer. */
async function packSpec (name, spec, cwd) {
  const store = path.join(defaults.cache, 'tarballs')
  return withFolder(path.join(store, 'packing'), async (draft) => {
    const packed = await pack(spec === ROOT ? ROOT : `${name}@${spec}`, cwd, draft)
    const tarball = path.join(store, `${packed.name.replace('/', '+')}-${hashOf(packed.integrity)}.tgz`)
    fs.renameSync(path.join(draft, packed.filename), tarball)
    return { ...packed, tarball }
  })
}

/**
 * Installs are shared for one day: then both sides have what a user of that
 * day gets, and never one of them what was current last month.
 */
async function prepareApp (letter, dependencies, tarballs, day) {
  const manifest = { private: true, dependencies: { ...dependencies }, overrides: {} }
  for (const [name, tarball] of Object.entries(tarballs)) {
    const direct = name in dependencies
    if (direct) manifest.dependencies[name] = `file:${tarball}`
    manifest.overrides[name] = direct ? `$${name}` : `file:${tarball}`
  }
  const text = JSON.stringify(manifest, null, 2)
  const folder = path.join(defaults.cache, 'sides', `${day}-${hashOf(text)}`)
  await makeWhole(folder, async (draft) => {
    fs.writeFileSync(path.join(draft, 'package.json'), text)
    await install(draft, `side ${letter} cannot be installed`)
  }, isInstalled)
  return { folder: fs.realpathSync(folder), packages: versionsIn(folder) }
}

async function prepareNode (spec, day) {
  const folder = path.join(defaults.cache, 'nodes', `${day}-${hashOf(spec)}`)
  const binary = path.join(folder, 'node_modules', 'node', 'bin', 'node')
  await makeWhole(folder, async (draft) => {
    fs.writeFileSync(path.join(draft, 'package.json'), JSON.stringify({ private: true, dependencies: { node: spec } }))
    await install(draft, `cannot get Node.js ${spec}`)
  }, isInstalled)
  if (!fs.existsSync(binary)) {
    fs.rmSync(folder, { recursive: true, force: true })
    throw new Failure(`cannot get Node.js ${spec}: npm installed no program for this machine`)
  }
  const { version } = JSON.parse(fs.readFileSync(path.join(folder, 'node_modules', 'node', 'package.json'), 'utf8'))
  return { path: binary, version: `v${version}` }
}

function versionsIn (folder) {
  const versions = {}
  for (const [location, { name, version }] of Object.entries(installedPackages(folder))) {
    versions[location.slice('node_modules/'.length)] = name === undefined ? version : `${name}@${version}`
  }
  return versions
}

function hashOf (value) {
  return createHash('sha256').update(JSON.stringify(value)).digest('hex').slice(0, 20)
}

/** Throws away what was installed days ago. */
function forgetOldSides () {
  const eldest = Date.now() - defaults.cacheDays * 86_400_000
  for (const kind of ['nodes', 'plants', 'sides', 'tarballs']) {
    const folder = path.join(defaults.cache, kind)
    if (!fs.existsSync(folder)) continue
    for (const entry of fs.readdirSync(folder)) {
      const file = path.join(folder, entry)
      const stats = fs.statSync(file, { throwIfNoEntry: false }) // another run may tidy up, too
      if (stats?.mtimeMs < eldest) fs.rmSync(file, { recursive: true, force: true })
    }
  }
}

module.exports = { prepareSide, forgetOldSides, ROOT }
