'use strict'

const { execFileSync } = require('node:child_process')
const fs = require('node:fs')
const path = require('node:path')

const ROOT = path.join(__dirname, '../..')

/**
 * What an install of a package brings: itself and all that it depends on.
 *
 * @param {string} name of an installed package; `../..` for this one
 * @returns {{ packages: number, bytes: number }} `packages` besides itself
 */
function footprint (name) {
  const found = new Set()
  visit(folderOf(name), found)
  let bytes = 0
  for (const folder of found) bytes += folder === ROOT ? packedSize() : sizeOf(folder)
  return { packages: found.size - 1, bytes }
}

/** @returns {{ version: string, dependencies?: object }} its package.json */
function packageOf (name) {
  return readPackage(folderOf(name))
}

function folderOf (name) {
  return name === '../..' ? ROOT : find(name, __dirname)
}

function readPackage (folder) {
  return JSON.parse(fs.readFileSync(path.join(folder, 'package.json'), 'utf8'))
}

function visit (folder, found) {
  if (found.has(folder)) return
  const { dependencies = {} } = readPackage(folder)
  found.add(folder)
  for (const name of Object.keys(dependencies)) visit(find(name, folder), found)
}

/** Where Node would find it. Not by require.resolve(), as many packages hide their package.json. */
function find (name, from) {
  for (let folder = from; ; folder = path.dirname(folder)) {
    const candidate = path.join(folder, 'node_modules', name)
    if (fs.existsSync(path.join(candidate, 'package.json'))) return candidate
    if (folder === path.dirname(folder)) throw new Error(`${name} is not installed`)
  }
}

function sizeOf (folder) {
  let bytes = 0
  for (const entry of fs.readdirSync(folder, { withFileTypes: true })) {
    const place = path.join(folder, entry.name)
    if (entry.isFile()) bytes += fs.statSync(place).size
    else if (entry.isDirectory() && entry.name !== 'node_modules') bytes += sizeOf(place)
  }
  return bytes
}

/** This package is not installed here: the size of what npm would pack. */
function packedSize () {
  const output = execFileSync('npm', ['pack', '--dry-run', '--json', '--ignore-scripts'], {
    cwd: ROOT,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore']
  })
  const [{ unpackedSize }] = Object.values(JSON.parse(output)).flat()
  return unpackedSize
}

module.exports = { footprint, packageOf }
