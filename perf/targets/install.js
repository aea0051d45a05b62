'use strict'

// A target is what is compared: real apps, each installed by npm in a cached
// folder of its own, with the parser that its overrides put there.

const { createHash } = require('node:crypto')
const fs = require('node:fs')
const path = require('node:path')
const { createFolder, withTemporaryFolder } = require('../../tools/atomic-write')
const { describeCommit } = require('../../tools/machine')
const { install, installedPackages, installNode, isInstalled, pack } = require('../../tools/npm')
const defaults = require('../defaults')

const ROOT = path.join(__dirname, '../..')

/**
 * @typedef {object} Target
 * @property {string} letter `A` is the baseline, `B` the candidate
 * @property {Record<string, string>} overrides as the user gave them
 * @property {Record<string, { name: string, version: string, integrity: string }>} resolved
 *   the package that each override stands for
 * @property {{ hash: string, clean: boolean } | null} commit of the working tree
 * @property {{ path: string, version: string | null }} node
 * @property {Record<string, { folder: string, packages: Record<string, string> }>} apps
 */

/**
 * Installs one target.
 *
 * @param {string} letter
 * @param {Record<string, string>} overrides package name -> npm spec, `node` ->
 *   version; the parser is this working tree unless `body-parser` is among them
 * @param {string[]} appNames keys of `defaults.apps`
 * @param {string} cwd base of relative specs
 * @returns {Promise<Target>}
 */
async function installTarget (letter, overrides, appNames, cwd) {
  const day = new Date().toISOString().slice(0, 10)
  const { node: nodeSpec, ...packages } = overrides
  const commit = describeCommit(ROOT) // before the working tree is packed
  const resolved = {}
  const tarballs = {}
  for (const [name, spec] of Object.entries({ 'body-parser': ROOT, ...packages })) {
    const packed = await packSpec(name, spec, cwd)
    tarballs[name] = packed.tarball
    resolved[name] = { name: packed.name, version: packed.version, integrity: packed.integrity }
  }
  const node = nodeSpec === undefined
    ? { path: process.execPath, version: process.version }
    : await installNode(nodeSpec, path.join(defaults.cache, 'nodes', `${day}-${hashOf(nodeSpec)}`))
  const apps = {}
  for (const name of appNames) {
    apps[name] = await installApp(letter, defaults.apps[name], tarballs, day)
  }
  return { letter, overrides, commit, resolved, node, apps }
}

/** Every kind of spec becomes a tarball, so that npm installs all in the same way. */
async function packSpec (name, spec, cwd) {
  const store = path.join(defaults.cache, 'tarballs')
  return withTemporaryFolder(path.join(store, 'packing'), async (draft) => {
    const packed = await pack(spec === ROOT ? ROOT : `${name}@${spec}`, cwd, draft)
    const tarball = path.join(store, `${packed.name.replace('/', '+')}-${hashOf(packed.integrity)}.tgz`)
    fs.renameSync(path.join(draft, packed.filename), tarball)
    return { ...packed, tarball }
  })
}

/**
 * Installs are shared for one day: both targets get what a user gets on that
 * day, and neither gets what was current last month.
 */
async function installApp (letter, dependencies, tarballs, day) {
  const manifest = { private: true, dependencies: { ...dependencies }, overrides: {} }
  for (const [name, tarball] of Object.entries(tarballs)) {
    const direct = name in dependencies
    if (direct) manifest.dependencies[name] = `file:${tarball}`
    manifest.overrides[name] = direct ? `$${name}` : `file:${tarball}`
  }
  const text = JSON.stringify(manifest, null, 2)
  const folder = path.join(defaults.cache, 'targets', `${day}-${hashOf(text)}`)
  await createFolder(folder, async (draft) => {
    fs.writeFileSync(path.join(draft, 'package.json'), text)
    await install(draft, `target ${letter} cannot be installed`)
  }, isInstalled)
  return { folder: fs.realpathSync(folder), packages: versionsIn(folder) }
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

/** Removes what was installed days ago. */
function removeOldTargets () {
  const oldest = Date.now() - defaults.cacheDays * 86_400_000
  for (const kind of ['faults', 'nodes', 'targets', 'tarballs']) {
    const folder = path.join(defaults.cache, kind)
    if (!fs.existsSync(folder)) continue
    for (const entry of fs.readdirSync(folder)) {
      const file = path.join(folder, entry)
      const stats = fs.statSync(file, { throwIfNoEntry: false }) // another run may remove it, too
      if (stats?.mtimeMs < oldest) fs.rmSync(file, { recursive: true, force: true })
    }
  }
}

module.exports = { installTarget, removeOldTargets }
