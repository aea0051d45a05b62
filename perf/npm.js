'use strict'

const { existsSync, readFileSync } = require('node:fs')
const children = require('./children')
const Failure = require('./failure')

/**
 * Runs npm and gives its stdout.
 *
 * @param {string[]} args
 * @param {string} cwd
 * @param {string} purpose what could not be done, if it fails
 * @returns {Promise<string>}
 */
function npm (args, cwd, purpose) {
  return new Promise((resolve, reject) => {
    const child = children.start('npm', args, {
      cwd,
      detached: true, // so that its own children end with it
      env: environment(),
      stdio: ['ignore', 'pipe', 'pipe']
    })
    let stdout = ''
    let stderr = ''
    child.stdout.setEncoding('utf8').on('data', (text) => { stdout += text })
    child.stderr.setEncoding('utf8').on('data', (text) => { stderr += text })
    child.once('error', (error) => reject(new Failure(`${purpose}: ${error.message}`)))
    child.once('close', (code) => {
      if (code === 0) resolve(stdout)
      else reject(new Failure(`${purpose}: ${reasonOf(stderr)}`))
    })
  })
}

/** Without the folder that an outer `npm run` works in. */
function environment () {
  const env = { ...process.env }
  delete env.npm_config_local_prefix
  return env
}

function reasonOf (stderr) {
  const lines = stderr.split('\n')
    .filter((line) => line.startsWith('npm error'))
    .map((line) => line.replace(/^npm error ?/, '').trim())
    .filter((line) => line !== '' && !line.startsWith('A complete log') && !line.startsWith('code '))
  return lines.slice(0, 3).join(' ') || stderr.trim() || 'npm failed'
}

/**
 * Packs what an npm spec stands for: version, range, tag, alias, tarball,
 * folder or git.
 *
 * @param {string} spec
 * @param {string} cwd what relative paths start from
 * @param {string} destination folder for the tarball
 * @returns {Promise<{ name: string, version: string, integrity: string, filename: string }>}
 */
async function pack (spec, cwd, destination) {
  const args = ['pack', spec, '--json', '--pack-destination', destination]
  const stdout = await npm(args, cwd, `cannot get ${spec}`)
  const [packed] = JSON.parse(stdout.slice(stdout.indexOf('[\n'))) // prepack may talk, too
  return packed
}

/** Installs the package.json in a folder. */
async function install (folder, purpose) {
  await npm(['install', '--prefix', folder, '--no-audit', '--no-fund', '--prefer-offline'], folder, purpose)
}

/** @returns {Record<string, { name?: string, version: string, integrity?: string }>} by path */
function installedPackages (folder) {
  return JSON.parse(readFileSync(`${folder}/node_modules/.package-lock.json`, 'utf8')).packages
}

/** Has a folder all that npm once put there? Somebody may have tidied up. */
function isInstalled (folder) {
  try {
    return Object.keys(installedPackages(folder)).every((location) => existsSync(`${folder}/${location}/package.json`))
  } catch {
    return false
  }
}

module.exports = { npm, pack, install, installedPackages, isInstalled }
