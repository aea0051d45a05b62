'use strict'

// npx fast-body-parser --write and --undo: changes package.json, installs, checks, and puts back what did not work.

const { changesOf, notesOf } = require('../advice')
const { judge } = require('../judge')
const { REPLACEABLE } = require('../packages')
const { LOCKS, MANAGERS, findProject } = require('../project')
const { isOfTwo } = require('../recipe')
const { findUses, isIncomplete } = require('../uses')
const { apply, editsOf, putBack, readBytes, uncommitted } = require('./files')
const startForgetting = require('./forget')
const { recorded, undoChanges } = require('./undo')

/**
 * @param {object} options
 * @param {string} options.folder
 * @param {boolean} [options.undo]
 * @param {boolean} [options.dryRun] show what would change
 * @param {boolean} [options.force] change files whose changes are not committed
 * @param {string} [options.only] body-parser or multer
 * @param {(project: import('../project').Project) => void} install
 * @param {(text: string) => void} print
 * @returns {number} the exit status: 0, or 1 if the result is not as it should be, and all is as it was
 */
function write ({ folder, undo = false, dryRun = false, force = false, only }, install, print) {
  let project = findProject(folder)
  const { name } = project.manager
  if (!MANAGERS.has(name)) throw new Error(`--write and --undo know npm, pnpm, Yarn and Bun, not ${name}`)
  if (isIncomplete(project)) {
    if (dryRun) throw new Error(`dependencies are missing: run \`${name} install\` first`)
    install(project)
    project = findProject(folder)
  }
  const names = only === undefined ? REPLACEABLE : [only]
  const report = judge(project, findUses(project))
  const changes = undo ? undoChanges(project, report, names) : recorded(project, changesOf(project, report, names))
  const edits = editsOf(project.root, changes)
  for (const note of undo ? [] : notesOf(report)) print(`${note}\n`)
  const isStale = !undo && usesOf(report.uses, names, isKept).length > 0
  if (edits.length === 0 && !isStale) return done(print, `Nothing to ${undo ? 'undo' : 'write'}.`)
  for (const { file, lines } of edits) print(`${file}\n${lines.map((line) => `  ${line}\n`).join('')}`)
  if (dryRun) return done(print, 'Nothing is changed: this is a dry run.')
  refuseUncommitted(project, edits, force)
  return changeAndCheck(project, report, { edits, names, undo }, install, print)
}

function done (print, text) {
  print(`${text}\n`)
  return 0
}

const isOurs = ({ got }) => got.isOurs
const isKept = ({ status }) => status === 'not replaced'

/** Whether what a package gets is to go: version 2, unless there are older versions alone. */
const isReplaced = ({ uses }) => (use) => {
  if (isKept(use)) return true
  const others = uses.filter(({ parser, status }) => parser === use.parser && status === 'as declared')
  return use.status === 'as declared' && (isOfTwo(use) || !others.some(isOfTwo))
}

function refuseUncommitted ({ root }, edits, force) {
  const files = force ? [] : uncommitted(root, edits.map(({ file }) => file))
  if (files.length === 0) return
  throw new Error(`${files.join(' and ')} has changes that are not committed: commit them, or add --force`)
}

function changeAndCheck (project, before, { edits, names, undo }, install, print) {
  const { root } = project
  const locks = LOCKS.map((file) => ({ file, before: readBytes(`${root}/${file}`) }))
  const memory = startForgetting(project)
  apply(root, edits)
  try {
    memory.forget(usesOf(before.uses, names, undo ? isOurs : isReplaced(before)))
    install(project)
    const faults = undo ? remaining(root, names) : checkReplaced(root, names, memory, install)
    if (faults.length === 0) {
      memory.close()
      return done(print, undo ? 'Undone.' : 'Replaced, installed and checked.')
    }
    print(`Not as it should be:\n${faults.map((fault) => `  ${fault}\n`).join('')}`)
  } catch (error) {
    print(`${error.message}\n`)
  }
  putBack(root, [...edits, ...locks])
  memory.remember()
  print('The files are as they were; installing again.\n')
  install(project)
  putBack(root, locks) // a lock file that was not there before
  return 1
}

/** @returns {string[]} what does not get this package, once npm has forgotten what it keeps */
function checkReplaced (root, names, { forget }, install) {
  const look = () => {
    const project = findProject(root)
    return judge(project, findUses(project).filter(({ parser }) => names.includes(parser)), [])
  }
  const stale = usesOf(look().uses, names, isKept)
  if (forget(stale)) install(findProject(root))
  return look().faults
}

/** @returns {string[]} who gets this package although nothing asks for it any more */
function remaining (root, names) {
  const project = findProject(root)
  const places = usesOf(judge(project, findUses(project)).uses, names, isOurs).map(({ got }) => got.place)
  return [...new Set(places)].map((place) => `${place} is still this package`)
}

function usesOf (uses, names, isWanted) {
  return uses.filter((use) => use.got !== null && names.includes(use.parser) && isWanted(use))
}

module.exports = write
