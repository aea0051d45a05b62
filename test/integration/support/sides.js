'use strict'

// Two projects that differ in two folders: in `theirs`, node_modules/body-parser and node_modules/multer are what they
// say; in `ours`, this package as npm packs it, and that of multer/. That is where `overrides` put them, under their
// own names and versions. Agents find what they instrument by that folder's name.

const assert = require('node:assert/strict')
const fs = require('node:fs')
const { createRequire } = require('node:module')
const path = require('node:path')
const { dependencies } = require('../../../package.json')
const { ROOT, createFolder, remove, unpack } = require('./project')

const MODULES = path.join(__dirname, '../node_modules')
const REPLACED = ['body-parser', 'multer']
const COPIED = /^(@google-cloud\/functions-framework|@nestjs\/.*|express|express-4|nest-11)$/ // look beside themselves

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
  for (const name of REPLACED) copy(path.join(MODULES, name), placeOf(theirs, name))
  fs.renameSync(await unpack(ours), placeOf(ours, 'body-parser'))
  for (const name of Object.keys(dependencies)) { // in the versions that it asks for
    link(path.join(ROOT, 'node_modules', name), placeOf(placeOf(ours, 'body-parser'), name))
  }
  copy(path.join(ROOT, 'multer'), placeOf(ours, 'multer'))
  link(placeOf(ours, 'body-parser'), placeOf(ours, 'fast-body-parser'))
  for (const folder of [theirs, ours]) {
    for (const name of packages().filter((name) => COPIED.test(name))) assertUsed(folder, name)
  }
  return { theirs, ours }
}

const placeOf = (folder, name) => path.join(folder, 'node_modules', name)

function copy (source, target) {
  fs.cpSync(source, target, {
    recursive: true,
    dereference: true,
    filter: (file) => !/express-4.node_modules.body-parser$/.test(file)
  })
}

function link (source, target) {
  fs.mkdirSync(path.dirname(target), { recursive: true })
  fs.symlinkSync(source, target, 'junction')
}

/** Those that parse with body-parser, or look for multer, get what is in its place. */
function assertUsed (folder, name) {
  const require = createRequire(path.join(placeOf(folder, name), 'index.js'))
  for (const other of REPLACED) {
    assert.equal(path.dirname(require.resolve(`${other}/package.json`)), placeOf(folder, other), name)
  }
}

/** A project with every package but these, and the programs of observers. */
function createProject () {
  const folder = createFolder()
  for (const name of packages()) {
    if (REPLACED.includes(name)) continue
    const place = COPIED.test(name) ? copy : link
    place(path.join(MODULES, name), placeOf(folder, name))
  }
  fs.cpSync(path.join(__dirname, '../observers/programs'), folder, { recursive: true })
  return folder
}

function packages () {
  return fs.readdirSync(MODULES).flatMap((name) => {
    if (!name.startsWith('@')) return [name]
    return fs.readdirSync(path.join(MODULES, name)).map((scoped) => `${name}/${scoped}`)
  })
}

/** @returns {Promise<Record<'theirs' | 'ours', NodeJS.Require>>} of the projects, or of a package there */
async function requires (name = '.') {
  const folders = Object.entries(await sides())
  return Object.fromEntries(folders.map(([side, folder]) =>
    [side, createRequire(path.join(placeOf(folder, name), 'index.js'))]))
}

/** A package of the projects, by its own name and its version. */
function titleOf (place) {
  const { name, version } = JSON.parse(fs.readFileSync(path.join(MODULES, place, 'package.json'), 'utf8'))
  return `${name} ${version}`
}

module.exports = { requires, sides, titleOf }
