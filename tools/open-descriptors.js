'use strict'

const fs = require('node:fs')

const FOLDER = '/proc/self/fd'

/** @returns {string[]} what each descriptor of this process is of, where the system lists them */
module.exports = function openDescriptors () {
  if (!fs.existsSync(FOLDER)) return []
  return fs.readdirSync(FOLDER).flatMap((name) => {
    try {
      return [fs.readlinkSync(`${FOLDER}/${name}`)]
    } catch {
      return [] // closed meanwhile
    }
  })
}
