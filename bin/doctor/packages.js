'use strict'

// Packages in folders: what their package.json says, and which one a folder gets by a name.

const fs = require('node:fs')
const { findPnpApi } = require('node:module')
const path = require('node:path')

const SELF = 'fast-body-parser'
const REPLACEABLE = ['body-parser', 'multer'] // whose place a package of ours takes

/** @returns {object | undefined} undefined where there is no package.json that can be read */
function readManifest (folder) {
  try {
    return parseManifest(folder)
  } catch {
    return undefined
  }
}

/** @throws {Error} that says what is wrong with the package.json of a folder */
function parseManifest (folder) {
  const file = path.join(folder, 'package.json')
  const text = fs.readFileSync(file, 'utf8').replace(/^\uFEFF/, '')
  let manifest
  try {
    manifest = JSON.parse(text)
  } catch (error) {
    throw new Error(`${file} is not JSON: ${error.message}`)
  }
  if (isObject(manifest)) return manifest
  throw new Error(`${file} is ${JSON.stringify(manifest)}, where package managers expect an object`)
}

const isObject = (value) => typeof value === 'object' && value !== null && !Array.isArray(value)

/**
 * The folder of a package as Node.js finds it: in the node_modules of the folder, or of one above it. Without
 * `require.resolve`, as packages may hide their package.json, and as a host may be an ES module.
 *
 * @returns {string | null} its real path
 */
function findPackage (name, folder) {
  const pnp = findPnpApi?.(folder + path.sep)
  if (pnp) return findByPnp(pnp, name, folder)
  for (let above = folder; ; above = path.dirname(above)) {
    const place = path.join(above, 'node_modules', name)
    if (path.basename(above) !== 'node_modules' && fs.existsSync(path.join(place, 'package.json'))) {
      return fs.realpathSync(place)
    }
    if (above === path.dirname(above)) return null
  }
}

/** Yarn's Plug'n'Play, which `yarn fast-body-parser` runs under, has no node_modules. */
function findByPnp (pnp, name, folder) {
  try {
    return pnp.resolveToUnqualified(name, folder + path.sep)
  } catch {
    return null
  }
}

/** This package, whatever it is installed as; or fast-multer, or another package that only hands it on. */
function isOurs (manifest) {
  return manifest?.name === SELF || [manifest?.dependencies, manifest?.peerDependencies].some((of) => of?.[SELF])
}

/** @returns {{ name: string, range: string | undefined }} of `express@^5`, `@koa/multer@npm:4` or `multer` */
function splitSpec (spec) {
  const [, name, range] = /^(@?[^@]+)(?:@(?:npm:)?(.+))?$/.exec(spec) ?? [undefined, spec]
  return { name, range }
}

/** @returns {string[] | null} the major versions that a range has; null if it may have any */
function majorsOf (range = '') {
  const majors = range.split('||').map((part) => /^\s*(?:npm:.*@)?[~^=v]*\s*(\d+)(?!.*[<>])/.exec(part)?.[1])
  return majors.includes(undefined) ? null : majors
}

/** Whether two ranges have a major version in common. */
function meet (one, other) {
  const [ones, others] = [majorsOf(one), majorsOf(other)]
  return ones === null || others === null || ones.some((major) => others.includes(major))
}

module.exports = {
  REPLACEABLE, SELF, findPackage, isObject, isOurs, majorsOf, meet, parseManifest, readManifest, splitSpec
}
