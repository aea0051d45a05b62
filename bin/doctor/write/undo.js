'use strict'

// What --undo takes out, and what --write notes for it: in package.json, the field `fast-body-parser`.

const { isForUs } = require('../asks')
const { SELF } = require('../packages')
const { KINDS } = require('../recipe')

/**
 * @param {import('../project').Project} project
 * @param {import('../recipe').Change[]} changes
 * @returns {import('../recipe').Change[]} with a note of each dependency that the project had, for --undo
 */
function recorded ({ manifest }, changes) {
  const notes = changes.filter(({ keys: [kind] }) => KINDS.includes(kind)).map(({ file, keys: [kind, name] }) => {
    const value = manifest[kind]?.[name]
    return { file, keys: [SELF, 'replaced', name], value }
  })
  return [...changes, ...notes.filter(({ value }) => value !== undefined)]
}

/**
 * Every line that puts this package in the place of another. A dependency becomes what it was.
 *
 * @param {import('../project').Project} project
 * @param {object} report of judge()
 * @param {string[]} names body-parser, multer
 * @returns {import('../recipe').Change[]}
 */
function undoChanges (project, { asks, uses }, names) {
  const overrides = asks.filter(({ name }) => names.includes(name)).map(({ field, keys }) => {
    if (field.endsWith('.yaml')) return { file: field, keys: ['overrides', ...keys] }
    return { file: 'package.json', keys: [...field.split('.'), ...keys] }
  })
  return [...overrides, ...names.flatMap((name) => dependencyChanges(project, uses, name))]
}

function dependencyChanges (project, uses, name) {
  const { manifest } = project
  const kind = KINDS.find((kind) => isForUs(project, uses, name, String(manifest[kind]?.[name])))
  if (kind === undefined) return []
  const isTarball = [manifest[kind][name], manifest.dependencies?.[SELF]].every((spec) => /^file:/.test(spec))
  const back = (kind, name) => [
    { file: 'package.json', keys: [kind, name], value: manifest[SELF]?.replaced?.[name] },
    { file: 'package.json', keys: [SELF, 'replaced', name] }
  ]
  // A tarball of fast-multer needs one of this package beside it.
  return [...back(kind, name), ...(name === 'multer' && isTarball ? back('dependencies', SELF) : [])]
}

module.exports = { recorded, undoChanges }
