'use strict'

// The project that a folder belongs to: its root, its workspaces, its package manager.

const fs = require('node:fs')
const { findPnpApi } = require('node:module')
const path = require('node:path')
const { isObject, parseManifest, readManifest } = require('./packages')
const findWorkspaces = require('./workspaces')
const readYaml = require('./yaml')

const LOCKS = {
  'package-lock.json': 'npm',
  'npm-shrinkwrap.json': 'npm',
  'pnpm-lock.yaml': 'pnpm',
  'yarn.lock': 'yarn',
  'bun.lock': 'bun',
  'bun.lockb': 'bun'
}

const MANAGERS = new Set(Object.values(LOCKS))
const VERSION = /^(\w+)[@/](\d+)/ // of packageManager, and of the user agent

/**
 * @typedef {object} Project
 * @property {string} root its folder
 * @property {object} manifest package.json of the root
 * @property {{ place: string, folder: string, manifest: object }[]} members the root, and its workspaces
 * @property {{ name: string, major: number | undefined, lock: string | undefined }} manager
 * @property {Record<string, string> | undefined} yaml overrides of pnpm-workspace.yaml
 */

/**
 * @returns {Project}
 * @throws {Error} if there is no project, or if its package.json cannot be understood
 */
function findProject (folder) {
  const above = []
  for (let place = fs.realpathSync(folder); ; place = path.dirname(place)) {
    above.push(place)
    if (place === path.dirname(place)) break
  }
  const own = above.find((place) => fs.existsSync(path.join(place, 'package.json')))
  if (own === undefined) throw new Error(`no package.json in ${folder} or above it: name the folder of a project`)
  parseManifest(own)
  const root = above.slice(above.indexOf(own) + 1).find((place) => isRootOf(place, own)) ?? own
  if (fs.existsSync(path.join(root, '.pnp.cjs')) && !findPnpApi?.(root + path.sep)) {
    throw new Error('Plug\'n\'Play has no node_modules: run `yarn dlx fast-body-parser` in place of `npx`')
  }
  const folders = [root, ...workspacesOf(root)]
  const members = folders.map((folder) => ({ place: placeOf(root, folder), folder, manifest: readManifest(folder) }))
  const [{ manifest }] = members
  return { root, manifest, members, manager: managerOf(root, manifest), yaml: yamlOf(root).overrides }
}

function isRootOf (place, own) {
  try {
    return workspacesOf(place).includes(own)
  } catch {
    return false // the folder of another project, with a package.json that npm would not take
  }
}

const placeOf = (root, folder) => path.relative(root, folder).replaceAll(path.sep, '/') || '.'

/** @returns {string[]} the folders of the workspaces of a root; none if it is not a root */
function workspacesOf (root) {
  const { workspaces } = readManifest(root) ?? {}
  const patterns = isObject(workspaces) ? workspaces.packages ?? [] : workspaces ?? []
  if (!Array.isArray(patterns) || patterns.some((pattern) => typeof pattern !== 'string')) {
    const file = path.join(root, 'package.json')
    throw new Error(`workspaces of ${file} is ${JSON.stringify(patterns)}, where npm expects a list of patterns`)
  }
  return findWorkspaces(root, [...patterns, ...yamlOf(root).packages])
}

const yamlOf = (root) => readYaml(readText(path.join(root, 'pnpm-workspace.yaml')))

/** What a project says, what it has been installed with, or what runs this program, in this order. */
function managerOf (root, { packageManager, devEngines }) {
  const lock = Object.keys(LOCKS).find((name) => fs.existsSync(path.join(root, name)))
  const [, named, major] = VERSION.exec(String(packageManager)) ?? []
  const [, running, runningMajor] = VERSION.exec(process.env.npm_config_user_agent) ?? []
  const text = (name) => readText(path.join(root, name))
  const isPnpm = fs.existsSync(path.join(root, 'pnpm-workspace.yaml')) || text('node_modules/.modules.yaml') !== ''
  const engine = [devEngines?.packageManager].flat().find((engine) => MANAGERS.has(engine?.name))
  const own = named ?? engine?.name ?? LOCKS[lock] ?? (isPnpm ? 'pnpm' : undefined)
  const name = own ?? (MANAGERS.has(running) ? running : 'npm')
  const guess = () => guessMajor(name, text) ?? (own === undefined && name !== 'npm' ? Number(runningMajor) : undefined)
  return { name, lock, major: major === undefined ? guess() : Number(major) }
}

/** What is installed tells the version of pnpm, and the lock file that of Yarn. */
function guessMajor (name, text) {
  const installed = name === 'pnpm' ? text('node_modules/.modules.yaml') : ''
  const [, major] = /packageManager"?:\s*"?pnpm@(\d+)/.exec(installed) ?? []
  if (major !== undefined) return Number(major)
  const lock = name === 'yarn' ? text('yarn.lock') : ''
  if (lock.includes('yarn lockfile v1')) return 1
  return lock.includes('__metadata:') ? 4 : undefined
}

function readText (file) {
  try {
    return fs.readFileSync(file, 'utf8')
  } catch {
    return ''
  }
}

module.exports = { LOCKS: Object.keys(LOCKS), MANAGERS, findProject, placeOf }
