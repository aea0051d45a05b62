'use strict'

// Half-made files and folders: they get their names when they are whole, and
// are gone when this process ends before that.

const fs = require('node:fs')
const path = require('node:path')

const unfinished = new Set()

/**
 * Writes a file at one stroke: under its name there is the old one, none, or
 * the whole new one.
 *
 * @param {string} file
 * @param {string} text
 */
function writeWhole (file, text) {
  const draft = `${file}.${process.pid}.part`
  unfinished.add(draft)
  fs.writeFileSync(draft, text)
  fs.renameSync(draft, file)
  unfinished.delete(draft)
}

/**
 * Gives a new folder to `use`, and removes it after that.
 *
 * @template T
 * @param {string} prefix of its path
 * @param {(folder: string) => Promise<T>} use
 * @returns {Promise<T>}
 */
async function withFolder (prefix, use) {
  fs.mkdirSync(path.dirname(prefix), { recursive: true })
  const draft = fs.mkdtempSync(`${prefix}.part-`)
  unfinished.add(draft)
  try {
    return await use(draft)
  } finally {
    remove(draft)
  }
}

/**
 * Makes a folder at one stroke, unless it is there already.
 *
 * @param {string} folder
 * @param {(draft: string) => Promise<void>} fill
 * @param {(folder: string) => boolean} isWhole if not, it is made anew
 */
async function makeWhole (folder, fill, isWhole) {
  if (fs.existsSync(folder)) {
    if (isWhole(folder)) return
    fs.rmSync(folder, { recursive: true, force: true })
  }
  await withFolder(folder, async (draft) => {
    await fill(draft)
    if (!fs.existsSync(folder)) fs.renameSync(draft, folder) // else another run was quicker
  })
}

function remove (draft) {
  fs.rmSync(draft, { recursive: true, force: true, maxRetries: 5 }) // somebody may still write into it
  unfinished.delete(draft)
}

/** As far as it goes: called when this process ends. */
function removeUnfinished () {
  for (const draft of unfinished) {
    try {
      remove(draft)
    } catch (error) {
      process.stderr.write(`${draft} is left behind: ${error.message}\n`)
    }
  }
}

module.exports = { writeWhole, withFolder, makeWhole, removeUnfinished }
