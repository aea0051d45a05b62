'use strict'

// Files and folders get their names once they are complete.

const fs = require('node:fs')
const path = require('node:path')
const jsonText = require('./json-text')
const UserError = require('./user-error')

/**
 * Writes a file atomically: readers see the old content or all of the new one.
 *
 * @param {string} file
 * @param {string} text
 */
function writeFile (file, text) {
  fs.mkdirSync(path.dirname(file), { recursive: true })
  const draft = `${file}.${process.pid}.part`
  fs.writeFileSync(draft, text)
  fs.renameSync(draft, file)
}

/** Writes a value as JSON. */
function writeJson (file, value) {
  writeFile(file, `${jsonText(value)}\n`)
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
  if (value?.format !== format) throw new UserError(`${file} does not have the format ${format}`)
  return value
}

/**
 * Removes files that are written later, and fails now rather than after half
 * an hour if one cannot be written.
 *
 * @param {(string | null)[]} files null for none
 * @throws {UserError}
 */
function clearOutput (files) {
  for (const file of files.filter((file) => file !== null)) {
    try {
      writeFile(file, '')
      fs.rmSync(file)
    } catch (error) {
      throw new UserError(`cannot write ${file}: ${error.message}`)
    }
  }
}

const temporary = [] // intentionally global: the folders to remove

function removeTemporary () {
  // Another process may still write into one.
  for (const folder of temporary) fs.rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
}

/**
 * Creates a folder that is removed when this process exits.
 *
 * @param {string} prefix of its path
 * @returns {string}
 */
function temporaryFolder (prefix) {
  fs.mkdirSync(path.dirname(prefix), { recursive: true })
  const folder = fs.mkdtempSync(`${prefix}-`)
  if (temporary.push(folder) === 1) process.on('exit', removeTemporary)
  return folder
}

/**
 * Creates a folder atomically, unless it is there.
 *
 * @param {string} folder
 * @param {(draft: string) => Promise<void>} fill
 */
async function createFolder (folder, fill) {
  if (fs.existsSync(folder)) return
  const draft = temporaryFolder(folder)
  await fill(draft)
  if (!fs.existsSync(folder)) fs.renameSync(draft, folder) // otherwise another process was faster
}

module.exports = { writeFile, writeJson, readJson, clearOutput, temporaryFolder, createFolder }
