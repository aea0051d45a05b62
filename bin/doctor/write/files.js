'use strict'

// The files of a project that --write changes: reads them, shows what becomes of them, and puts them back.

const { execFileSync } = require('node:child_process')
const fs = require('node:fs')
const path = require('node:path')
const editJson = require('./json-text')
const editYaml = require('./yaml-text')

/**
 * @typedef {object} Edit
 * @property {string} file
 * @property {string | undefined} before undefined if there was no file
 * @property {string} after
 * @property {string[]} lines that change, with `-` and `+`
 */

/**
 * @param {string} root
 * @param {import('../recipe').Change[]} changes
 * @returns {Edit[]} without those that change nothing
 */
function editsOf (root, changes) {
  const files = [...new Set(changes.map(({ file }) => file))]
  return files.map((file) => {
    const before = read(path.join(root, file))
    let after = before ?? ''
    for (const { keys, value, isKept } of changes.filter((change) => change.file === file)) {
      after = (file.endsWith('.json') ? editJson : editYaml)(after, keys, value, isKept)
    }
    return { file, before, after, lines: difference(before ?? '', after) }
  }).filter(({ lines }) => lines.length > 0)
}

const read = (file) => readBytes(file)?.toString()

/** @returns {Buffer | undefined} what is in a file; undefined if there is none */
function readBytes (file) {
  try {
    return fs.readFileSync(file)
  } catch (error) {
    if (error.code === 'ENOENT') return undefined
    throw new Error(`${file} cannot be read (${error.code})`)
  }
}

/** @returns {string[]} the lines that go, with a `-`, and those that come, with a `+` */
function difference (before, after) {
  const [old, now] = [before, after].map((text) => text === '' ? [] : text.split(/\r?\n/))
  const common = commonLines(old, now)
  const lines = []
  let [i, j] = [0, 0]
  while (i < old.length || j < now.length) {
    if (i < old.length && j < now.length && old[i] === now[j]) {
      i++
      j++
    } else if (j < now.length && (i === old.length || common[i][j + 1] > common[i + 1][j])) lines.push(`+ ${now[j++]}`)
    else lines.push(`- ${old[i++]}`)
  }
  return lines
}

/** @returns {number[][]} [i][j]: the length of the longest common subsequence of the lines from i and from j on */
function commonLines (old, now) {
  const common = Array.from({ length: old.length + 1 }, () => new Uint16Array(now.length + 1))
  for (let i = old.length - 1; i >= 0; i--) {
    for (let j = now.length - 1; j >= 0; j--) {
      common[i][j] = old[i] === now[j] ? common[i + 1][j + 1] + 1 : Math.max(common[i + 1][j], common[i][j + 1])
    }
  }
  return common
}

/** @throws {Error} if a file cannot be written; those before it are then as they were */
function apply (root, edits) {
  edits.forEach(({ file, after }, at) => {
    try {
      if (after === '') fs.rmSync(path.join(root, file))
      else fs.writeFileSync(path.join(root, file), after)
    } catch (error) {
      putBack(root, edits.slice(0, at))
      throw new Error(`${file} cannot be written (${error.code}): nothing is changed`)
    }
  })
}

function putBack (root, edits) {
  for (const { file, before } of edits) {
    if (before === undefined) fs.rmSync(path.join(root, file), { force: true })
    else fs.writeFileSync(path.join(root, file), before)
  }
}

/** @returns {string[]} the files that differ from what git has of them; none outside of a repository */
function uncommitted (root, files) {
  return files.filter((file) => {
    try {
      const args = ['-C', root, 'status', '--porcelain', '--', file]
      return execFileSync('git', args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }) !== ''
    } catch {
      return false
    }
  })
}

module.exports = { apply, editsOf, putBack, readBytes, uncommitted }
