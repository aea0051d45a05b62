'use strict'

// The lines that put this package in the place of others, for each package manager: docs/under-express.md and
// docs/nestjs.md, for this project.

const fs = require('node:fs')
const path = require('node:path')
const { isObject, majorsOf, meet, splitSpec } = require('./packages')
const { version } = require('../../package.json')

/** name -> the package that takes its place. Versions of fast-multer follow multer's: multer/package.json. */
const REPLACEMENTS = {
  'body-parser': { name: 'fast-body-parser', version },
  multer: { name: 'fast-multer', version: '2.5.100' }
}
const KINDS = ['dependencies', 'devDependencies', 'optionalDependencies']

/**
 * @typedef {object} Change
 * @property {string} file package.json or pnpm-workspace.yaml, of the root
 * @property {string[]} keys
 * @property {string | object | undefined} value undefined removes the key
 * @property {boolean} [isKept] the object that it is removed from stays, even if it is empty then
 */

/** body-parser 2 and multer 2 are the versions whose place this package takes as they are. */
const isOfTwo = ({ range, got }) => majorsOf(range || got.version)?.includes('2') ?? got.version.startsWith('2.')

/**
 * @param {import('./project').Project} project
 * @param {string} name body-parser or multer
 * @param {import('./uses').Use[]} uses of it that get another package
 * @returns {Change[]}
 */
function changesFor (project, name, uses) {
  const { manager: { name: manager }, manifest, yaml } = project
  const spec = specOf(project, name)
  const all = name === 'body-parser' && !uses.some(isOfTwo)
  const key = all ? name : `${name}@2`
  const own = dependency(project, name, spec)
  if (manager === 'yarn') return [...own, ...resolutions(project, name, spec, uses)]
  if (manager === 'bun') return [...own, change(['overrides', name], spec)]
  const keys = (overrides) => [...keysFor(overrides, name, key), ...all ? [] : keysForCatalogs(uses, name)]
  if (manager !== 'pnpm') {
    return [...own, ...keysFor(manifest.overrides, name, key).map((key) => change(['overrides', key], `$${name}`))]
  }
  if (readsManifest(project)) {
    return [...own, ...keys(manifest.pnpm?.overrides).map((key) => change(['pnpm', 'overrides', key], spec))]
  }
  const file = 'pnpm-workspace.yaml'
  return [...own, ...keys(yaml).map((key) => ({ file, keys: ['overrides', key], value: spec }))]
}

/** pnpm 10 reads no overrides of pnpm-workspace.yaml if package.json has some. */
function readsManifest ({ manager: { major }, manifest }) {
  return major < 10 || (major === 10 && (manifest.pnpm?.overrides ?? manifest.resolutions) !== undefined)
}

/** An override of the same package, with a version of its own, would stay beside ours and win or conflict. */
function keysFor (overrides, name, key) {
  const range = splitSpec(key).range
  const own = Object.keys(isObject(overrides) ? overrides : {}).filter((key) => {
    const split = splitSpec(key)
    return split.name === name && typeof overrides[key] === 'string' && meet(split.range, range)
  })
  return own.length === 0 ? [key] : own
}

/** pnpm compares the version of an override with `catalog:` itself, which has none. */
function keysForCatalogs (uses, name) {
  const hosts = uses.filter(({ host, range }) => host.place !== '.' && range.startsWith('catalog:')).filter(isOfTwo)
  return hosts.map(({ host }) => `${host.name}>${name}`)
}

const change = (keys, value) => ({ file: 'package.json', keys, value })

/** The dependencies of the root; with a tarball of fast-multer, also the one that fast-multer has itself. */
function dependency (project, name, spec) {
  const kinds = KINDS.filter((kind) => project.manifest[kind]?.[name] !== undefined)
  const changes = (kinds.length === 0 ? KINDS.slice(0, 1) : kinds).map((kind) => change([kind, name], spec))
  const self = specOf(project, 'body-parser')
  if (name === 'multer' && spec.startsWith('file:') && self.startsWith('file:')) {
    changes.push(change(['dependencies', 'fast-body-parser'], self))
  }
  return changes
}

/** A resolution of Yarn for body-parser has no version, so it names each package that has body-parser 2. */
function resolutions (project, name, spec, uses) {
  if (name === 'multer') return [change(['resolutions', name], spec)]
  const replaced = uses.some(isOfTwo) ? uses.filter(isOfTwo) : uses
  const hosts = replaced.filter(({ host }) => !host.isMember)
  return hosts.map(({ host }) => change(['resolutions', `${pathOf(project, host)}/${name}`], spec))
}

/** In Yarn 1, a path begins at the root, unless asterisks precede it. Later versions know a name, wherever it is. */
function pathOf ({ manager, manifest }, { name, place }) {
  if (manager.major !== 1) return name
  const names = place.split(/\/?node_modules\//).slice(1)
  const isDirect = names.length === 1 && [manifest.dependencies, manifest.devDependencies].some((of) => of?.[name])
  return isDirect ? name : `**/${names.join('/')}`
}

/** With a tarball in the folder of the project, the package from the registry is not meant. */
function specOf ({ root }, name) {
  const { name: own, version } = REPLACEMENTS[name]
  const tarball = `${own}-${version}.tgz`
  return fs.existsSync(path.join(root, tarball)) ? `file:${tarball}` : `npm:${own}@~${version}`
}

module.exports = { KINDS, changesFor, isOfTwo }
