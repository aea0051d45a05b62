'use strict'

// The folders of a cell, and what is left in them.

const fs = require('node:fs')
const os = require('node:os')
const path = require('node:path')
const { temporaryFolder } = require('../../tools/atomic-write')
const openDescriptors = require('../../tools/open-descriptors')
const { elsewhere } = require('./acts/files')
const { files } = require('./content')

/** Without the folder that is not there. */
const listed = (folders) => folders.filter((folder) => folder !== null)

const roots = listed([os.tmpdir(), elsewhere]).map((parent) => temporaryFolder(path.join(parent, 'matrix')))
let count = 0

class Folders {
  constructor () {
    const name = String(++count)
    const [folder, other = null] = roots.map((root) => path.join(root, name))
    this.folder = folder
    this.temporary = path.join(folder, 'temporary') // of multipart.disk
    this.kept = path.join(folder, 'kept')
    this.elsewhere = other
    for (const name of listed([this.temporary, this.kept, other])) fs.mkdirSync(name, { recursive: true })
  }

  /** @returns {string[]} what should not be there */
  leftovers () {
    return [
      ...fs.readdirSync(this.temporary).map((name) => `temporary file ${name}`),
      ...listed([this.kept, this.elsewhere]).flatMap(wrongFiles),
      ...openFiles(this.folder)
    ].map((text) => text.replace(/[\da-f]{32}/, '...'))
  }

  remove () {
    for (const name of listed([this.folder, this.elsewhere])) fs.rmSync(name, { recursive: true, force: true })
  }
}

/** Acts name a file `field_` and more, without a dot. */
function wrongFiles (folder) {
  return fs.readdirSync(folder).flatMap((name) => {
    if (name.includes('.')) return [`copy ${name}`]
    const content = fs.readFileSync(path.join(folder, name))
    return content.equals(files[name.split('_')[0]]) ? [] : [`kept file ${name} with other content`]
  })
}

/** Descriptors of files in this folder. */
function openFiles (folder) {
  const targets = openDescriptors().filter((target) => target.startsWith(folder + path.sep))
  return targets.map((target) => `descriptor of ${path.relative(folder, target)}`)
}

module.exports = Folders
