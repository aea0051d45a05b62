'use strict'

// The competitors, and other versions of Node, come from npm when they are
// first needed.

const { execFileSync } = require('node:child_process')
const fs = require('node:fs')
const path = require('node:path')

const FLAGS = ['--no-audit', '--no-fund', '--loglevel=error']

/** Installs what bench/package.json asks for, unless it is there. */
function installCompetitors () {
  if (!fs.existsSync(path.join(__dirname, '..', 'node_modules'))) {
    throw new Error('run "npm install" in the root of the project first')
  }
  const { packages } = JSON.parse(fs.readFileSync(path.join(__dirname, 'package-lock.json'), 'utf8'))
  const present = Object.keys(packages[''].dependencies).every((name) => {
    const place = `node_modules/${name}`
    return versionIn(path.join(__dirname, place)) === packages[place].version
  })
  if (!present) run('npm', ['ci', ...FLAGS], __dirname)
}

function versionIn (folder) {
  try {
    return JSON.parse(fs.readFileSync(path.join(folder, 'package.json'), 'utf8')).version
  } catch {
    return undefined // not installed
  }
}

/**
 * @param {string} [version] such as `24`; without it, the Node that runs this
 * @returns {string} path of its executable
 */
function installNode (version) {
  if (version === undefined) return process.execPath
  const folder = path.join(__dirname, '.nodes', version)
  const node = path.join(folder, 'node_modules', '.bin', 'node')
  if (!fs.existsSync(node)) {
    fs.mkdirSync(folder, { recursive: true })
    fs.writeFileSync(path.join(folder, 'package.json'), '{ "private": true }\n')
    try {
      run('npm', ['install', '--no-save', '--no-package-lock', ...FLAGS, `node@${version}`], folder)
    } catch (error) {
      fs.rmSync(folder, { recursive: true })
      throw error
    }
  }
  return node
}

function run (command, args, cwd) {
  execFileSync(command, args, { cwd, stdio: ['ignore', 'ignore', 'inherit'] })
}

module.exports = { installCompetitors, installNode }
