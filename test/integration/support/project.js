'use strict'

// Projects in temporary folders, with the package as npm would publish it.

const { execFile } = require('node:child_process')
const fs = require('node:fs')
const os = require('node:os')
const path = require('node:path')
const { promisify } = require('node:util')

const ROOT = path.join(__dirname, '../../..')
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
 * A project that has the package as npm would publish it, and every other that these places have.
 *
 * @param {Record<string, string | object>} [files]
 * @param {string[]} [places] of a package that two have, the last one
 * @returns {Promise<string>} its folder
 */
async function place (files = {}, places = [ROOT]) {
  const folder = createFolder()
  const modules = path.join(folder, 'node_modules')
  fs.mkdirSync(modules)
  fs.renameSync(await unpack(folder), path.join(modules, 'fast-body-parser'))
  for (const from of places.map((place) => path.join(place, 'node_modules'))) {
    for (const name of fs.readdirSync(from)) {
      if (name.startsWith('.') || name === 'fast-body-parser') continue // the clone itself, as a workspace
      fs.rmSync(path.join(modules, name), { force: true })
      fs.symlinkSync(path.join(from, name), path.join(modules, name))
    }
  }
  write(folder, files)
  return folder
}

function remove (folder) {
  if (folder !== undefined) fs.rmSync(folder, { recursive: true, force: true })
}

module.exports = { INSTALL_TIME, ROOT, createFolder, pack, place, remove, run, unpack, write }
