'use strict'

// Projects in temporary folders, with the package as npm would publish it.

const { execFile } = require('node:child_process')
const fs = require('node:fs')
const os = require('node:os')
const path = require('node:path')
const { promisify } = require('node:util')

const ROOT = path.join(__dirname, '../../..')
const INSTALL = ['install', '--no-audit', '--no-fund', '--loglevel=error', '--prefer-offline', '--no-package-lock']
const INSTALL_TIME = 120_000 // ms

const run = promisify(execFile)

function createFolder () {
  return fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), 'integration-')))
}

/** Writes files, by their names within the folder. */
function write (folder, files) {
  for (const [name, content] of Object.entries(files)) {
    const file = path.join(folder, name)
    fs.mkdirSync(path.dirname(file), { recursive: true })
    fs.writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content))
  }
}

/**
 * @param {string} folder
 * @param {string} [workspace] the package: `multer` for the one in multer/
 * @returns {Promise<string>} the tarball, in the folder
 */
async function pack (folder, workspace) {
  const args = ['pack', '--json', '--ignore-scripts', '--loglevel=error', '--pack-destination', folder]
  if (workspace !== undefined) args.push('--workspace', workspace)
  const { stdout } = await run('npm', args, { cwd: ROOT, timeout: INSTALL_TIME })
  const [{ filename }] = Object.values(JSON.parse(stdout)) // an array, or an object by name
  return path.join(folder, filename)
}

/** @returns {Promise<string>} the folder of the package, in the folder */
async function unpack (folder) {
  await run('tar', ['-xzf', await pack(folder), '-C', folder])
  return path.join(folder, 'package')
}

/**
 * A project that npm installs.
 *
 * @param {(tarball: string) => object} manifest makes its package.json
 * @returns {Promise<string>} its folder
 */
async function install (manifest) {
  const folder = createFolder()
  write(folder, { 'package.json': manifest(`file:${await pack(folder)}`) })
  await run('npm', INSTALL, { cwd: folder, timeout: INSTALL_TIME })
  return folder
}

/**
 * A project that has the package, and every other that this repository has.
 *
 * @param {Record<string, string | object>} files
 * @returns {Promise<string>} its folder
 */
async function place (files) {
  const folder = createFolder()
  const modules = path.join(folder, 'node_modules')
  fs.mkdirSync(modules)
  fs.renameSync(await unpack(folder), path.join(modules, 'fast-body-parser'))
  for (const name of fs.readdirSync(path.join(ROOT, 'node_modules'))) {
    if (name !== 'fast-body-parser') fs.symlinkSync(path.join(ROOT, 'node_modules', name), path.join(modules, name))
  }
  write(folder, files)
  return folder
}

function remove (folder) {
  if (folder !== undefined) fs.rmSync(folder, { recursive: true, force: true })
}

module.exports = { INSTALL_TIME, ROOT, createFolder, install, pack, place, remove, run, unpack, write }
