'use strict'

// npm as a child process, and what it has installed.

const fs = require('node:fs')
const path = require('node:path')
const { spawn } = require('./child-process')
const UserError = require('./user-error')

// Without the folder that an outer `npm run` works in; with errors, which `npm run -s` would silence.
const ENVIRONMENT = { npm_config_local_prefix: undefined, npm_config_loglevel: 'error' }
const QUIET = ['--no-audit', '--no-fund']
const SELF = 'JSON.stringify({ path: process.execPath, version: process.version })' // in another Node.js

/**
 * @param {string[]} args
 * @param {string} cwd
 * @param {string} failure what npm's error is about, such as `cannot get body-parser@9`
 * @returns {Promise<string>} stdout of npm
 */
function npm (args, cwd, failure) {
  return new Promise((resolve, reject) => {
    const child = spawn('npm', args, {
      cwd,
      detached: true, // leads a process group, so that its own children are killed with it
      env: { ...process.env, ...ENVIRONMENT },
      stdio: ['ignore', 'pipe', 'pipe']
    })
    let stdout = ''
    let stderr = ''
    child.stdout.setEncoding('utf8').on('data', (text) => { stdout += text })
    child.stderr.setEncoding('utf8').on('data', (text) => { stderr += text })
    child.once('error', (error) => reject(new UserError(`${failure}: ${error.message}`)))
    child.once('close', (code) => {
      if (code === 0) resolve(stdout)
      else reject(new UserError(`${failure}: ${reasonIn(stderr)}`))
    })
  })
}

function reasonIn (stderr) {
  const lines = stderr.split('\n')
    .filter((line) => line.startsWith('npm error'))
    .map((line) => line.replace(/^npm error ?/, '').trim())
    // The message repeats these.
    .filter((line) => line !== '' && !/^(A complete log|(code|syscall|path|errno) )/.test(line))
  return lines.slice(0, 3).join(' ') || stderr.trim() || 'npm failed'
}

/**
 * Packs what an npm spec stands for: version, range, tag, alias, tarball,
 * folder or git.
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
  await npm(['install', '--no-save', '--prefix', folder, '--prefer-offline', ...QUIET], folder, failure)
}

/** The option --node of commands that run under another Node. */
const NODE = { value: 'VERSION', help: 'run under another Node, such as 24 (installed from npm)' }

/**
 * @param {string | null} version such as `24`, which npm installs into its cache; null for that of this process
 * @returns {Promise<{ path: string, version: string }>} of the program
 */
async function nodeFor (version) {
  if (version === null) return { path: process.execPath, version: process.version }
  const stdout = await npm(['exec', '--yes', `--package=node@${version}`, '--', 'node', '--print', SELF], __dirname,
    `cannot get Node.js ${version}`)
  return JSON.parse(stdout)
}

/**
 * @param {string} spec of a package, which npm installs into its cache
 * @param {...string} command of that package, which prints the path of its own program
 * @returns {Promise<string>}
 */
async function programOf (spec, ...command) {
  return (await npm(['exec', '--yes', `--package=${spec}`, '--', ...command], __dirname, `cannot get ${spec}`)).trim()
}

/** @returns {Record<string, { name?: string, version: string, integrity?: string }>} by path */
function installedPackages (folder) {
  return JSON.parse(fs.readFileSync(path.join(folder, 'node_modules', '.package-lock.json'), 'utf8')).packages
}

module.exports = { NODE, nodeFor, pack, install, installedPackages, programOf }
