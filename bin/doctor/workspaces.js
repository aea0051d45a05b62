'use strict'

// The workspaces of a root: which folders the patterns of its package manager stand for.

const fs = require('node:fs')
const path = require('node:path')
const { readManifest } = require('./packages')

const SKIPPED = /^(node_modules|\..*)$/
const SPECIAL = /[?[\]{}()|\\]/

/**
 * Of two patterns that a folder matches, the later one counts, as for npm.
 *
 * @param {string} root
 * @param {string[]} patterns such as `packages/*`, `{apps,tools}/*` or `!packages/old`
 * @returns {string[]} folders that have a package.json
 * @throws {Error} for a pattern that this Node.js cannot read
 */
function findWorkspaces (root, patterns) {
  const found = new Set()
  for (const text of patterns) {
    const [, marks, pattern] = /^(!*)(?:\.?\/)*(.*?)\/*$/.exec(text)
    const matching = foldersIn(root, depthOf(pattern)).filter((folder) => matches(relative(root, folder), pattern))
    for (const folder of matching) {
      if (marks.length % 2 === 1) found.delete(folder)
      else found.add(folder)
    }
  }
  return [...found].filter((folder) => readManifest(folder) !== undefined)
}

const relative = (root, folder) => path.relative(root, folder).replaceAll(path.sep, '/')

/** How many folders deep a pattern can reach. */
const depthOf = (pattern) => pattern.includes('**') ? Infinity : pattern.split('/').length

/** @returns {string[]} the folders inside a folder, and those inside them, without packages that are installed */
function foldersIn (folder, depth) {
  if (depth === 0) return []
  return namesIn(folder).flatMap((name) => {
    const inside = path.join(folder, name)
    return [inside, ...foldersIn(inside, depth - 1)]
  })
}

function namesIn (folder) {
  try {
    const entries = fs.readdirSync(folder, { withFileTypes: true })
    return entries.filter((entry) => entry.isDirectory() && !SKIPPED.test(entry.name)).map(({ name }) => name)
  } catch {
    return []
  }
}

/** Node.js has minimatch, which npm uses as well, since 20.17 and 22.5. */
function matches (place, pattern) {
  if (path.posix.matchesGlob !== undefined) return path.posix.matchesGlob(place, pattern)
  if (SPECIAL.test(pattern)) {
    throw new Error(`the pattern ${JSON.stringify(pattern)} of the workspaces needs Node.js 20.17, 22.5 or newer`)
  }
  return expressionOf(pattern).test(place)
}

function expressionOf (pattern) {
  const parts = pattern.split('/').map((part) => {
    return part === '**' ? '.+' : part.replace(/[.+^$]/g, '\\$&').replaceAll('*', '[^/]*')
  })
  return new RegExp(`^${parts.join('/')}$`)
}

module.exports = findWorkspaces
