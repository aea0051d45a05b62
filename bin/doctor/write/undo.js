'use strict'

// What --undo takes out, and what --write notes for it: in package.json, the field `fast-body-parser`.

const { isForUs } = require('../asks')
const { SELF, isObject } = require('../packages')
const { KINDS } = require('../recipe')

/**
 * @param {import('../project').Project} project
 * @param {import('../recipe').Change[]} changes
 * @returns {import('../recipe').Change[]} with notes, for --undo, of values that go, and of objects that are empty
 */
function recorded (project, changes) {
  const notes = changes.flatMap((change) => {
    const { before, above } = standing(project, change)
    if (isForUs(project, [], '', String(before))) return [] // noted when it was written first
    if (before !== undefined) return [{ file: 'package.json', keys: noteOf(change), value: before }]
    return isEmpty(above) ? [{ file: 'package.json', keys: noteOf(change).slice(0, -1), value: {} }] : []
  })
  const isFirst = ({ keys }, i) => notes.findIndex((note) => note.keys.join() === keys.join()) === i
  return [...changes, ...notes.filter(isFirst)]
}

const noteOf = ({ file, keys }) => [SELF, 'replaced', ...(file === 'package.json' ? [] : [file]), ...keys]

const valueAt = (object, keys) => keys.reduce((inner, key) => inner?.[key], object)

/** What a change replaces, and the object that it is in. */
function standing ({ manifest, yaml }, { file, keys }) {
  const content = file === 'package.json' ? manifest : { overrides: yaml }
  return { before: valueAt(content, keys), above: valueAt(content, keys.slice(0, -1)) }
}

const isEmpty = (value) => isObject(value) && Object.keys(value).length === 0

/**
 * Every line that puts this package in the place of another. What stood there is there again.
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
  const changes = [...overrides, ...names.flatMap((name) => dependencies(project, uses, name))]
  return changes.flatMap((change) => {
    const keys = noteOf(change)
    const above = valueAt(project.manifest, keys.slice(0, -1))
    const back = { ...change, value: above?.[keys.at(-1)], isKept: above !== undefined }
    const note = { file: 'package.json', keys: isEmpty(above) ? keys.slice(0, -1) : keys }
    return [back, note]
  })
}

function dependencies (project, uses, name) {
  const { manifest } = project
  const kinds = KINDS.filter((kind) => isForUs(project, uses, name, String(manifest[kind]?.[name])))
  const isTarball = [manifest[kinds[0]]?.[name], manifest.dependencies?.[SELF]].every((spec) => /^file:/.test(spec))
  return [
    ...kinds.map((kind) => ({ file: 'package.json', keys: [kind, name] })),
    // A tarball of fast-multer needs one of this package beside it.
    ...(name === 'multer' && isTarball ? [{ file: 'package.json', keys: ['dependencies', SELF] }] : [])
  ]
}

module.exports = { recorded, undoChanges }
