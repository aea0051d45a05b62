'use strict'

// npm as a child process, and what it has installed.

const { execFile } = require('node:child_process')
const fs = require('node:fs')
const path = require('node:path')
const { promisify } = require('node:util')
const UserError = require('./user-error')

// Without the folder that an outer `npm run` works in; with errors, which `npm run -s` would silence.
const ENVIRONMENT = { npm_config_local_prefix: undefined, npm_config_loglevel: 'error' }
const MOST = 2 ** 26 // bytes of output
const SELF = 'JSON.stringify({ path: process.execPath, version: process.version })' // in another Node.js

/**
 * @param {string[]} args
 * @param {string} cwd
 * @param {string} failure what npm's error is about, such as `cannot get body-parser@9`
 * @returns {Promise<string>} stdout of npm
 */
async function npm (args, cwd, failure) {
  try {
    const env = { ...process.env, ...ENVIRONMENT }
    return (await promisify(execFile)('npm', args, { cwd, env, maxBuffer: MOST })).stdout
  } catch (error) {
    throw new UserError(`${failure}: ${reasonIn(error.stderr ?? '') || error.message}`)
  }
}

function reasonIn (stderr) {
  const lines = stderr.split('\n')
    .filter((line) => line.startsWith('npm error'))
    .map((line) => line.replace(/^npm error ?/, '').trim())
    // The message repeats these.
    .filter((line) => line !== '' && !/^(A complete log|(code|syscall|path|errno) )/.test(line))
  return lines.slice(0, 3).join(' ') || stderr.trim()
}

/**
 * Packs what an npm spec stands for: version, range, tag, alias, tarball, folder or git.
 *
 * @param {string} spec
 * @param {string} cwd base of relative paths
 * @param {string} destination folder for the tarball
 * @returns {Promise<{ name: string, version: string, integrity: string, filename: string }>}
 */
async function pack (spec, cwd, destination) {
  const stdout = await npm(['pack', spec, '--json', '--pack-destination', destination], cwd, `cannot get ${spec}`)
  const [packed] = JSON.parse(stdout.slice(stdout.indexOf('[\n'))) // a prepack script may print before it
  return packed
}

/** Installs what the package.json in a folder says; npm is done within a second if it is there. */
async function install (folder, failure) {
  const quiet = ['--prefer-offline', '--no-audit', '--no-fund']
  await npm(['install', '--no-save', '--prefix', folder, ...quiet], folder, failure)
}

/**
 * @param {string} spec of a package, which npm installs into its cache
 * @param {...string} command of that package, such as one that prints the path of its own program
 * @returns {Promise<string>} what it prints
 */
async function programOf (spec, ...command) {
  return (await npm(['exec', '--yes', `--package=${spec}`, '--', ...command], __dirname, `cannot get ${spec}`)).trim()
}

/** The option --node of commands that run under another Node. */
const NODE = { value: 'VERSION', help: 'run under another Node, such as 24 (installed from npm)' }

/**
 * @param {string | null} version such as `24`, which npm installs into its cache; null for that of this process
 * @returns {Promise<{ path: string, version: string }>} of the program
 */
async function nodeFor (version) {
  if (version === null) return { path: process.execPath, version: process.version }
  return JSON.parse(await programOf(`node@${version}`, 'node', '--print', SELF))
}

/** @returns {Record<string, { name?: string, version: string, integrity?: string }>} by path */
function installedPackages (folder) {
  return JSON.parse(fs.readFileSync(path.join(folder, 'node_modules', '.package-lock.json'), 'utf8')).packages
}

module.exports = { NODE, nodeFor, pack, install, installedPackages, programOf }
