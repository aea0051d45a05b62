'use strict'

// Files and folders get their names once they are complete. Unfinished ones
// are removed when this process exits.

const fs = require('node:fs')
const path = require('node:path')
const UserError = require('./user-error')

const unfinished = new Set() // intentionally global: paths

/**
 * Writes a file atomically: its name stands for the old content, or all of the
 * new one.
 *
 * @param {string} file
 * @param {string} text
 */
function writeFile (file, text) {
  fs.mkdirSync(path.dirname(file), { recursive: true })
  const draft = `${file}.${process.pid}.part`
  unfinished.add(draft)
  fs.writeFileSync(draft, text)
  fs.renameSync(draft, file)
  unfinished.delete(draft)
}

/** Writes a value as JSON. */
function writeJson (file, value) {
  writeFile(file, `${JSON.stringify(value, null, 2)}\n`)
}

/**
 * @param {string} file
 * @param {string} format expected in its field `format`
 * @returns {object}
 * @throws {UserError}
 */
function readJson (file, format) {
  let value
  try {
    value = JSON.parse(fs.readFileSync(file, 'utf8'))
  } catch (error) {
    throw new UserError(`cannot read ${file}: ${error.message}`)
  }
  if (value?.format !== format) throw new UserError(`${file} is no file of the format ${format}`)
  return value
}

/**
 * Removes files that are written later, and fails now rather than after half
 * an hour if one cannot be written.
 *
 * @param {string[]} files
 * @throws {UserError}
 */
function clearOutput (files) {
  for (const file of files) {
    try {
      writeFile(file, '')
      fs.rmSync(file)
    } catch (error) {
      throw new UserError(`cannot write ${file}: ${error.message}`)
    }
  }
}

/**
 * Creates a temporary folder, and removes it after use.
 *
 * @template T
 * @param {string} prefix of its path
 * @param {(folder: string) => Promise<T>} use
 * @returns {Promise<T>}
 */
async function withTemporaryFolder (prefix, use) {
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
 * Creates a folder atomically, unless it is there.
 *
 * @param {string} folder
 * @param {(draft: string) => Promise<void>} fill
 */
async function createFolder (folder, fill) {
  if (fs.existsSync(folder)) return
  await withTemporaryFolder(folder, async (draft) => {
    await fill(draft)
    if (!fs.existsSync(folder)) fs.renameSync(draft, folder) // otherwise another process was faster
  })
}

function remove (draft) {
  fs.rmSync(draft, { recursive: true, force: true, maxRetries: 5 }) // another process may still write into it
  unfinished.delete(draft)
}

/** Removes what is unfinished; called when this process exits. */
function removeUnfinished () {
  for (const draft of unfinished) {
    try {
      remove(draft)
    } catch (error) {
      process.stderr.write(`${draft} is left behind: ${error.message}\n`)
    }
  }
}

module.exports = { writeFile, writeJson, readJson, clearOutput, withTemporaryFolder, createFolder, removeUnfinished }
