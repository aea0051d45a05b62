'use strict'

// The folders of a cell, and what is left in them.

const fs = require('node:fs')
const os = require('node:os')
const path = require('node:path')
const { temporaryFolder } = require('../../tools/atomic-write')
const openDescriptors = require('../../tools/open-descriptors')
const { files } = require('./content')

const root = temporaryFolder(path.join(os.tmpdir(), 'matrix'))
let count = 0

class Folders {
  constructor () {
    this.folder = path.join(root, String(++count))
    this.temporary = path.join(this.folder, 'temporary') // of multipart.disk
    this.kept = path.join(this.folder, 'kept')
    for (const name of [this.temporary, this.kept]) fs.mkdirSync(name, { recursive: true })
  }

  /** @returns {string[]} what should not be there */
  leftovers () {
    const open = openDescriptors().filter((target) => target.startsWith(this.folder + path.sep))
    return [
      ...fs.readdirSync(this.temporary).map((name) => `temporary file ${name}`),
      ...fs.readdirSync(this.kept).flatMap((name) => this.#wrongFile(name)),
      ...open.map((target) => `descriptor of ${path.relative(this.folder, target)}`)
    ].map((text) => text.replace(/[\da-f]{32}/, '...'))
  }

  /** Acts name a file `field_` and more, without a dot. */
  #wrongFile (name) {
    if (name.includes('.')) return [`copy ${name}`]
    const content = fs.readFileSync(path.join(this.kept, name))
    return content.equals(files[name.split('_')[0]]) ? [] : [`kept file ${name} with other content`]
  }

  remove () {
    fs.rmSync(this.folder, { recursive: true, force: true })
  }
}

module.exports = Folders
