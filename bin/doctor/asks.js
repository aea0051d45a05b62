'use strict'

// What a project asks its package manager for: overrides and resolutions that put this package in another's place.

const path = require('node:path')
const { SELF, isOurs, readManifest, splitSpec } = require('./packages')

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
 */

/** @returns {{ asks: Ask[], misplaced: string[] }} `misplaced` says which are not read, and why */
function readAsks (project) {
  const { manager, members } = project
  const read = fieldsOf(manager)
  const all = members.flatMap((member) => asksOf(project, member))
  const isRead = ({ field, place }) => place === '.' && read.includes(field)
  const misplaced = all.filter((ask) => !isRead(ask)).map(({ field, place, name }) => {
    const where = field === 'pnpm-workspace.yaml' ? field : `${place === '.' ? '' : `${place}/`}package.json, ${field}`
    const reason = read.includes(field) ? 'of the root alone' : `not this field but ${read.join(' or ')}`
    return `${where}: ${name} is not replaced by it, as ${titleOf(manager)} reads ${reason}`
  })
  return { asks: all.filter(isRead), misplaced: [...new Set(misplaced)] }
}

function fieldsOf ({ name, major }) {
  const fields = FIELDS[name] ?? FIELDS.npm
  if (name !== 'pnpm' || major === undefined) return fields
  if (major > 10) return ['pnpm-workspace.yaml']
  return major === 10 ? fields : fields.filter((field) => field !== 'pnpm-workspace.yaml')
}

const titleOf = ({ name, major }) => major === undefined ? name : `${name} ${major}`

function asksOf ({ manager, root, manifest: rootManifest, yaml }, { place, folder, manifest }) {
  const lists = {
    overrides: flatten(manifest.overrides),
    'pnpm.overrides': pairsOf(manifest.pnpm?.overrides, '>'),
    resolutions: pairsOf(manifest.resolutions, manager.name === 'pnpm' ? '>' : '/'),
    'pnpm-workspace.yaml': folder === root ? pairsOf(yaml, '>') : []
  }
  return Object.entries(lists).flatMap(([field, pairs]) => pairs.map(({ key, parent, above = [], isDeep, spec }) => {
    const { name, range } = splitSpec(key)
    const isTop = manager.name === 'yarn' && manager.major === 1 && parent !== null && !isDeep
    return { name, range, parent: parent && splitSpec(parent).name, above, isTop, spec, field, place }
  })).filter(({ name, spec }) => ['body-parser', 'multer'].includes(name) && isForUs(spec, name, rootManifest, root))
}

/** npm's overrides, which may be inside each other. */
function flatten (overrides, parent = null) {
  return Object.entries(overrides ?? {}).flatMap(([key, spec]) => {
    const pair = key === '.' ? { key: parent, parent: null } : { key, parent }
    return typeof spec === 'string' ? [{ ...pair, spec }] : flatten(spec, key)
  })
}

/** Overrides whose key is a path: `express>body-parser` of pnpm, and that of Yarn, `express/body-parser`. */
function pairsOf (overrides, separator) {
  return Object.entries(overrides ?? {}).map(([path, spec]) => {
    const all = separator === '>' ? path.split(/(?<=[^>\s])>(?=[^=\s])/) : path.match(YARN_NAMES) ?? []
    const [key = '', parent = null, ...above] = all.reverse()
    return { key, parent, above, isDeep: path.startsWith('**'), spec: String(spec) }
  })
}

/** @param {string} spec such as `npm:fast-body-parser@~2.4.100`, `$body-parser` or `file:a-folder` */
function isForUs (spec, name, manifest, root) {
  const { dependencies, devDependencies, optionalDependencies } = manifest
  const meant = spec.startsWith('$')
    ? String({ ...devDependencies, ...optionalDependencies, ...dependencies }[spec.slice(1)])
    : spec
  if (meant.includes(SELF)) return true
  const [, folder] = /^(?:(?:file|link|portal):|(?=\.))(.+)/.exec(meant) ?? []
  return folder !== undefined && isOurs(readManifest(path.resolve(root, folder)))
}

module.exports = { isForUs, readAsks, titleOf }
