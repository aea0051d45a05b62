'use strict'

// A target is what is compared: real apps, each installed by npm in a cached
// folder of its own, with the parser that its overrides put there.

const { createHash } = require('node:crypto')
const fs = require('node:fs')
const os = require('node:os')
const path = require('node:path')
const { temporaryFolder } = require('../tools/atomic-write')
const { describeCommit } = require('../tools/machine')
const { install, installedPackages, nodeFor, pack } = require('../tools/npm')
const UserError = require('../tools/user-error')

const ROOT = path.join(__dirname, '..')
// Outside of this repository: an app in it could load packages of ours.
const CACHE = path.join(os.tmpdir(), 'fast-body-parser-perf')
const APPS = { // dependencies beside the parser; a target may override any of them
  http: { 'body-parser': '*' },
  express4: { express: '^4' },
  express5: { express: '^5' }
}

/**
 * @typedef {object} Target
 * @property {string} letter `A` is the baseline, `B` the candidate
 * @property {Record<string, string>} overrides as the user gave them: package -> npm spec, `node` -> version; the
 *   parser is this working tree unless `body-parser` is among them
 * @property {Record<string, { name: string, version: string, integrity: string }>} resolved
 *   the package that each override stands for
 * @property {{ hash: string, clean: boolean } | null} commit of the working tree
 * @property {{ path: string, version: string }} node
 * @property {Record<string, string>} folders app -> its folder
 * @property {number} [planted] how often a small text is parsed for each request in addition
 */

/** @returns {Promise<Target>} */
async function installTarget (letter, overrides, apps) {
  const { node: nodeSpec, ...packages } = overrides
  const commit = describeCommit(ROOT) // before the working tree is packed
  const resolved = {}
  const tarballs = {}
  for (const [name, spec] of Object.entries({ 'body-parser': ROOT, ...packages })) {
    ({ tarball: tarballs[name], ...resolved[name] } = await packSpec(name, spec))
  }
  const node = await nodeFor(nodeSpec ?? null)
  const folders = {}
  for (const app of apps) folders[app] = await installApp(letter, APPS[app], tarballs)
  return { letter, overrides, commit, resolved, node, folders }
}

/** Every kind of spec becomes a tarball, so that npm installs all in the same way. */
async function packSpec (name, spec) {
  const draft = temporaryFolder(path.join(CACHE, 'packing'))
  const packed = await pack(spec === ROOT ? ROOT : `${name}@${spec}`, process.cwd(), draft)
  const { name: real, version, integrity, filename } = packed
  const tarball = path.join(CACHE, `${real.replace('/', '+')}-${hashOf(integrity)}.tgz`)
  fs.renameSync(path.join(draft, filename), tarball)
  return { name: real, version, integrity, tarball }
}

/** Installs are shared for one day: both targets get what a user gets on that day. */
async function installApp (letter, dependencies, tarballs) {
  const manifest = { private: true, dependencies: { ...dependencies }, overrides: {} }
  for (const [name, tarball] of Object.entries(tarballs)) {
    const isDirect = name in dependencies
    if (isDirect) manifest.dependencies[name] = `file:${tarball}`
    manifest.overrides[name] = isDirect ? `$${name}` : `file:${tarball}`
  }
  const folder = path.join(CACHE, `${new Date().toISOString().slice(0, 10)}-${hashOf(manifest)}`)
  if (!fs.existsSync(folder)) {
    const draft = temporaryFolder(folder)
    fs.writeFileSync(path.join(draft, 'package.json'), JSON.stringify(manifest, null, 2))
    await install(draft, `target ${letter} cannot be installed`)
    if (!fs.existsSync(folder)) fs.renameSync(draft, folder) // otherwise another process was faster
  }
  return fs.realpathSync(folder)
}

function hashOf (value) {
  return createHash('sha256').update(JSON.stringify(value)).digest('hex').slice(0, 20)
}

/** A scenario that a target cannot run, or that says nothing about it: it is skipped, and the others are measured. */
class SkipScenario extends UserError {}

/**
 * Checks that a server loaded the packages of its target, and no other copies of them. A comparison whose
 * override was never loaded looks like a result.
 *
 * @param {Target} target
 * @param {import('./scenarios').Scenario} scenario
 * @param {{ node: string, packages: { name: string, version: string, path: string }[] }} loaded as the server says
 * @throws {UserError} a SkipScenario if the server did not load a package at all
 */
function verifyPackages ({ letter, node, folders, resolved }, { name: scenario, app }, loaded) {
  const where = `target ${letter}, ${scenario}`
  if (loaded.node !== node.version) throw new UserError(`${where}: runs on Node.js ${loaded.node}, not ${node.version}`)
  const installed = installedPackages(folders[app])
  for (const [name, expected] of Object.entries(resolved)) {
    const copies = loaded.packages.filter((copy) => copy.name === name)
    if (copies.length === 0) {
      throw new SkipScenario(`target ${letter} did not load ${name}, so this says nothing about it`)
    }
    for (const { version, path: place } of copies) {
      const copy = installed[path.relative(folders[app], place).split(path.sep).join('/')]
      if (copy?.integrity === expected.integrity) continue
      const found = `${name} ${version} from ${place}`
      throw new UserError(`${where}: the server loaded ${found}, not ${expected.name} ${expected.version}`)
    }
  }
}

module.exports = { installTarget, verifyPackages, SkipScenario }
