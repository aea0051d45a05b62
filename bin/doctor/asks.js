'use strict'

// What a project asks its package manager for: overrides and resolutions that put this package in another's place.

const path = require('node:path')
const { REPLACEABLE, isOurs, readManifest, splitSpec } = require('./packages')

/** The fields that a package manager reads, in the root alone. */
const FIELDS = {
  npm: ['overrides'],
  pnpm: ['pnpm.overrides', 'resolutions', 'pnpm-workspace.yaml'],
  yarn: ['resolutions'],
  bun: ['overrides', 'resolutions']
}
const YARN_NAMES = /(?:@[^/@]+\/)?[^/@*]+(?:@[^/]+)?/g // in a path such as **/@nestjs/platform-express/multer

/**
 * @typedef {object} Ask
 * @property {string} name body-parser or multer
 * @property {string | undefined} range of the versions that it replaces; undefined for all
 * @property {string | null} parent the package whose dependency it is; null for all
 * @property {string[]} above packages that the parent is inside of
 * @property {boolean} isTop the parent is the one that the root depends on
 * @property {string} spec
 * @property {string} field where it stands
 * @property {string[]} keys of the field, down to the spec
 */

/**
 * @param {import('./project').Project} project
 * @param {import('./uses').Use[]} found
 * @returns {{ asks: Ask[], misplaced: string[] }} `misplaced` says which are not read, and why
 */
function readAsks (project, found) {
  const { manager, members } = project
  const read = fieldsOf(manager)
  const all = members.flatMap((member) => asksOf(project, member))
    .filter(({ name, spec }) => isForUs(project, found, name, spec))
  const isRead = ({ field, place }) => place === '.' && read.includes(field)
  const misplaced = all.filter((ask) => !isRead(ask)).map(({ field, place, name }) => {
    const where = field === 'pnpm-workspace.yaml' ? field : `${place === '.' ? '' : `${place}/`}package.json, ${field}`
    const reason = read.includes(field) ? 'of the root alone' : `not this field but ${read.join(' or ')}`
    return `${where}: ${name} is not replaced by it, as ${titleOf(manager)} reads ${reason}`
  })
  return { asks: all.filter(isRead), misplaced: [...new Set(misplaced)] }
}

function fieldsOf ({ name, major }) {
  const fields = Object.hasOwn(FIELDS, name) ? FIELDS[name] : FIELDS.npm
  if (name !== 'pnpm' || major === undefined) return fields
  if (major > 10) return ['pnpm-workspace.yaml']
  return major === 10 ? fields : fields.filter((field) => field !== 'pnpm-workspace.yaml')
}

const titleOf = ({ name, major }) => major === undefined ? name : `${name} ${major}`

function asksOf ({ manager, root, yaml }, { place, folder, manifest }) {
  const lists = {
    overrides: flatten(manifest.overrides),
    'pnpm.overrides': pairsOf(manifest.pnpm?.overrides, '>'),
    resolutions: pairsOf(manifest.resolutions, manager.name === 'pnpm' ? '>' : '/'),
    'pnpm-workspace.yaml': folder === root ? pairsOf(yaml, '>') : []
  }
  return Object.entries(lists).flatMap(([field, pairs]) => pairs.map((pair) => {
    const { key, parent, above = [], isDeep, spec, keys } = pair
    const { name, range } = splitSpec(key)
    const isTop = manager.name === 'yarn' && manager.major === 1 && parent !== null && !isDeep
    return { name, range, parent: parent && splitSpec(parent).name, above, isTop, spec, field, keys, place }
  })).filter(({ name }) => REPLACEABLE.includes(name))
}

/** npm's overrides, which may be inside each other. */
function flatten (overrides, parent = null, outer = []) {
  return Object.entries(overrides ?? {}).flatMap(([key, spec]) => {
    const keys = [...outer, key]
    const pair = key === '.' ? { key: parent, parent: null } : { key, parent }
    return typeof spec === 'string' ? [{ ...pair, spec, keys }] : flatten(spec, key, keys)
  })
}

/** Overrides whose key is a path: `express>body-parser` of pnpm, and that of Yarn, `express/body-parser`. */
function pairsOf (overrides, separator) {
  return Object.entries(overrides ?? {}).map(([path, spec]) => {
    const all = separator === '>' ? path.split(/(?<=[^>\s])>(?=[^=\s])/) : path.match(YARN_NAMES) ?? []
    const [key = '', parent = null, ...above] = all.reverse()
    return { key, parent, above, isDeep: path.startsWith('**'), spec: String(spec), keys: [path] }
  })
}

/**
 * Whether a spec gives a package of ours under the name of another one. A tarball, a repository and an alias of
 * any name do not tell: what is installed under the name does.
 *
 * @param {import('./project').Project} project
 * @param {import('./uses').Use[]} found
 * @param {string} name body-parser or multer
 * @param {string} spec such as `npm:fast-body-parser@~2.4.100`, `$body-parser` or `file:a-folder`
 */
function isForUs ({ root, manifest }, found, name, spec) {
  const meant = spec.startsWith('$') ? String(specsOf(manifest)[spec.slice(1)]) : spec
  if (/(?:^|[^\w-])fast-(?:body-parser|multer)(?![a-z])/.test(meant)) return true
  const [, folder] = /^(?:(?:file|link|portal):|(?=\.))(.+)/.exec(meant) ?? []
  if (folder !== undefined && isOurs(readManifest(path.resolve(root, folder)))) return true
  const isVersion = !/[:/]|\.tgz$/.test(meant)
  return !isVersion && found.some(({ parser, got }) => parser === name && got?.isOurs === true)
}

/** @returns {Record<string, string>} what a manifest depends on, as package managers merge its fields */
function specsOf ({ dependencies, devDependencies, optionalDependencies }) {
  return { ...devDependencies, ...optionalDependencies, ...dependencies }
}

module.exports = { isForUs, readAsks, titleOf }
