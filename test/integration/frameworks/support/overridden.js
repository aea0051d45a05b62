'use strict'

// A project in which npm has put this package in body-parser's place: packed,
// and installed by `overrides`, as the README tells users to.

const assert = require('node:assert/strict')
const { execFile } = require('node:child_process')
const fs = require('node:fs')
const { createRequire } = require('node:module')
const os = require('node:os')
const path = require('node:path')
const { promisify } = require('node:util')

const root = path.join(__dirname, '../../../..')
const integration = path.join(__dirname, '../..')
const withBodyParser = [
  '@nestjs/common', '@nestjs/core', '@nestjs/platform-express', 'express', 'express-4', 'reflect-metadata', 'rxjs'
]

let installed // a promise: one project serves all files

/**
 * @returns {Promise<NodeJS.Require>} `require` of the project, once npm is done
 */
function overridden () {
  installed ??= install()
  return installed
}

async function install () {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'fast-body-parser-overridden-'))
  process.once('exit', () => fs.rmSync(folder, { recursive: true, force: true, maxRetries: 3 }))
  const [{ filename }] = JSON.parse(await npm(
    ['pack', root, '--json', '--ignore-scripts', '--pack-destination', folder],
    folder
  ))
  const overrides = { 'body-parser': `file:${path.join(folder, filename)}` }
  const dependencies = { ...read('package.json').dependencies, ...read('frameworks/package.json').dependencies }
  const wanted = Object.fromEntries(withBodyParser.map((name) => [name, dependencies[name]]))
  write(folder, 'package.json', { private: true, dependencies: wanted, overrides })
  write(folder, 'package-lock.json', unlocked(read('package-lock.json'), wanted))
  fs.copyFileSync(path.join(integration, '.npmrc'), path.join(folder, '.npmrc'))
  await npm(['install', '--prefer-offline', '--ignore-scripts', '--no-audit', '--no-fund'], folder)

  const require = createRequire(path.join(folder, 'index.js'))
  for (const name of ['express', 'express-4']) {
    const parser = createRequire(require.resolve(name)).resolve('body-parser')
    assert.equal(parser, path.join(fs.realpathSync(folder), 'node_modules/body-parser/index.js'), name)
  }
  assert.equal(require('body-parser/package.json').name, 'fast-body-parser')
  return require
}

/** All is of the versions that were tested, but for body-parser, which npm finds anew, and without what is linked. */
function unlocked (lock, dependencies) {
  const packages = Object.entries(lock.packages).filter(([place, { link }]) =>
    place.startsWith('node_modules/') && !link && !place.endsWith('node_modules/body-parser'))
  return { ...lock, packages: { ...Object.fromEntries(packages), '': { dependencies } } }
}

/** Bounded in time; without the folder that an outer `npm run` works in. */
async function npm (args, cwd) {
  const { npm_config_local_prefix: _, ...env } = process.env
  const { stdout } = await promisify(execFile)('npm', args, { cwd, env, timeout: 120_000, maxBuffer: 2 ** 24 })
  return stdout
}

function read (name) {
  return JSON.parse(fs.readFileSync(path.join(integration, name), 'utf8'))
}

function write (folder, name, content) {
  fs.writeFileSync(path.join(folder, name), JSON.stringify(content, null, 2))
}

module.exports = overridden
