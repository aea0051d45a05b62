'use strict'

const fs = require('node:fs')
const os = require('node:os')
const path = require('node:path')
const { temporaryFolder } = require('../../tools/atomic-write')

const ROOT = path.join(__dirname, '../..')
const copies = new Map() // version -> folder

/**
 * Loads another copy of this package, as express may have one and the app another: files of their own, which share
 * nothing but what is in node_modules. Returns `require` of a path in that copy.
 */
module.exports = function loadCopy (version = require('../../package.json').version) {
  if (!copies.has(version)) copies.set(version, copy(version))
  const folder = copies.get(version)
  return (id = '') => require(path.join(folder, id))
}

function copy (version) {
  const folder = temporaryFolder(path.join(os.tmpdir(), 'fast-body-parser-copy'))
  for (const name of ['index.js', 'lib']) fs.cpSync(path.join(ROOT, name), path.join(folder, name), { recursive: true })
  const manifest = { ...require('../../package.json'), version }
  fs.writeFileSync(path.join(folder, 'package.json'), JSON.stringify(manifest))
  fs.symlinkSync(path.join(ROOT, 'node_modules'), path.join(folder, 'node_modules'), 'junction')
  return folder
}
