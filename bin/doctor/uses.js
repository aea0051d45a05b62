'use strict'

// Every package of a project that depends on a parser, and the parser that it gets.

const { SELF, findPackage, isOurs, readManifest } = require('./packages')
const { placeOf } = require('./project')

/** co-body reads bodies for koa-bodyparser, @koa/bodyparser and koa-body. */
const PARSERS = ['body-parser', 'multer', 'co-body', SELF]
const KINDS = ['dependencies', 'optionalDependencies', 'peerDependencies']

/**
 * @typedef {object} Use
 * @property {string} parser body-parser, multer, co-body or fast-body-parser
 * @property {{ name: string, version: string, place: string, isMember: boolean }} host
 * @property {string} range which the host declares
 * @property {boolean} isNeeded false for an optional dependency
 * @property {{ name: string, version: string, place: string, isOurs: boolean, self: string | null } | null} got null
 *   if Node.js finds none. `self`, of a multer of ours: the place of the fast-body-parser that it loads
 */

/**
 * Follows the dependencies from the root and the workspaces, as Node.js finds them.
 *
 * @returns {Use[]}
 */
function findUses ({ root, members }) {
  const visited = new Set()
  const waiting = members.map(({ folder, manifest }) => ({ folder, manifest, isMember: true }))
  const uses = []
  for (const host of waiting) {
    if (visited.has(host.folder)) continue
    visited.add(host.folder)
    for (const [name, { range, isNeeded }] of dependenciesOf(host)) {
      const folder = findPackage(name, host.folder)
      const manifest = folder === null ? undefined : readManifest(folder)
      if (manifest !== undefined) waiting.push({ folder, manifest, isMember: false, isParser: PARSERS.includes(name) })
      // What fast-multer depends on is no use of the project's.
      if (!PARSERS.includes(name) || host.isParser) continue
      const got = manifest === undefined ? null : describe(root, folder, manifest)
      uses.push({ parser: name, host: describeHost(root, host), range, isNeeded, got })
    }
  }
  return uses.sort((one, other) => keyOf(one) < keyOf(other) ? -1 : 1)
}

const keyOf = ({ parser, host }) => `${PARSERS.indexOf(parser)} ${host.isMember ? 0 : 1} ${host.name} ${host.place}`

/** @returns {Map<string, { range: string, isNeeded: boolean }>} by name; those for development of members only */
function dependenciesOf ({ manifest, isMember }) {
  const found = new Map()
  for (const kind of isMember ? [...KINDS, 'devDependencies'] : KINDS) {
    for (const [name, range] of Object.entries(manifest[kind] ?? {})) {
      const isOptional = kind === 'optionalDependencies' || manifest.peerDependenciesMeta?.[name]?.optional === true
      if (!found.has(name)) found.set(name, { range: String(range), isNeeded: !isOptional })
    }
  }
  return found
}

/** What a manifest has as a name may have line breaks, and would write lines of the report. */
const inLine = (value) => String(value).replace(/\s+/g, ' ')

function describeHost (root, { folder, manifest, isMember }) {
  const { name = '(no name)', version = '' } = manifest
  return { name: inLine(name), version: inLine(version), place: placeOf(root, folder), isMember }
}

function describe (root, folder, manifest) {
  const [name, version] = [inLine(manifest.name), inLine(manifest.version)]
  const ours = isOurs(manifest)
  const self = ours && name !== SELF ? findPackage(SELF, folder) : null
  return { name, version, place: placeOf(root, folder), isOurs: ours, self: self && placeOf(root, self) }
}

/**
 * Whether a dependency of the root or of a workspace cannot be found, as in a project that is not installed yet. Those
 * for development are not installed for production; they tell where there are no others, and none of them is found.
 */
function isIncomplete ({ members }) {
  const found = (kind) => members.flatMap(({ folder, manifest }) => Object.keys(manifest[kind] ?? {})
    .map((name) => findPackage(name, folder) !== null))
  const [all, forDevelopment] = [found('dependencies'), found('devDependencies')]
  if (all.length > 0) return all.includes(false)
  return forDevelopment.length > 0 && !forDevelopment.includes(true)
}

module.exports = { findUses, isIncomplete }
