'use strict'

// Files that commands write and read, and folders that they leave none of.

const fs = require('node:fs')
const path = require('node:path')
const UserError = require('./user-error')

/** Readers see the old content of a file or all of the new one. */
function writeFile (file, text) {
  fs.mkdirSync(path.dirname(file), { recursive: true })
  const draft = `${file}.${process.pid}.part`
  fs.writeFileSync(draft, text)
  fs.renameSync(draft, file)
}

const writeJson = (file, value) => writeFile(file, `${JSON.stringify(value, null, 1)}\n`)

/** @throws {UserError} if the field `format` of the JSON is another one */
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
 * Removes files that are written later, and fails now rather than after half an hour if one cannot be written.
 *
 * @param {(string | null)[]} files null for none
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

/** @param {string} prefix of its path @returns {string} a folder that is removed when this process exits */
function temporaryFolder (prefix) {
  fs.mkdirSync(path.dirname(prefix), { recursive: true })
  const folder = fs.mkdtempSync(`${prefix}-`)
  if (temporary.push(folder) === 1) process.on('exit', removeTemporary)
  return folder
}

module.exports = { writeFile, writeJson, readJson, clearOutput, temporaryFolder }
