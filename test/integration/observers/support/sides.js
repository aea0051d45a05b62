'use strict'

// Two projects that differ in one folder: in `theirs`, node_modules/body-parser
// is body-parser; in `ours`, it is this package as npm packs it. That is where
// `overrides` puts it, under its own name and version. Agents find what they
// instrument by that folder's name.

const assert = require('node:assert/strict')
const fs = require('node:fs')
const { createRequire } = require('node:module')
const path = require('node:path')
const { createFolder, remove, unpack } = require('../../support/project')

const MODULES = path.join(__dirname, '../../node_modules')
const COPIED = ['express', '@google-cloud/functions-framework'] // they look for body-parser beside themselves

let created // a promise: two projects serve all files

/** @returns {Promise<{ theirs: string, ours: string }>} their folders */
function sides () {
  created ??= create()
  return created
}

async function create () {
  const theirs = createProject()
  const ours = createProject()
  process.once('exit', () => [theirs, ours].forEach(remove))
  fs.cpSync(path.join(MODULES, 'body-parser'), placeOf(theirs), { recursive: true })
  fs.renameSync(await unpack(ours), placeOf(ours))
  for (const folder of [theirs, ours]) assertUsed(folder)
  return { theirs, ours }
}

function placeOf (folder) {
  return path.join(folder, 'node_modules/body-parser')
}

/** Those that parse with body-parser do it with the one in this place. */
function assertUsed (folder) {
  for (const name of COPIED) {
    const file = createRequire(path.join(folder, 'node_modules', name, 'index.js')).resolve('body-parser')
    assert.equal(path.dirname(file), placeOf(folder), name)
  }
}

/** A project with every package but body-parser, and the programs. */
function createProject () {
  const folder = createFolder()
  for (const name of packages()) {
    if (name === 'body-parser') continue
    const source = path.join(MODULES, name)
    const target = path.join(folder, 'node_modules', name)
    fs.mkdirSync(path.dirname(target), { recursive: true })
    if (COPIED.includes(name)) fs.cpSync(source, target, { recursive: true })
    else fs.symlinkSync(source, target)
  }
  fs.cpSync(path.join(__dirname, '../programs'), folder, { recursive: true })
  return folder
}

function packages () {
  return fs.readdirSync(MODULES).flatMap((name) => {
    if (!name.startsWith('@')) return [name]
    return fs.readdirSync(path.join(MODULES, name)).map((scoped) => `${name}/${scoped}`)
  })
}

/** A package of the projects, by its own name and its version. */
function titleOf (place) {
  const { name, version } = JSON.parse(fs.readFileSync(path.join(MODULES, place, 'package.json'), 'utf8'))
  return `${name} ${version}`
}

module.exports = { sides, titleOf }
