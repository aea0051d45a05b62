'use strict'

// npm run figures: which pages have figures of older code, and the commands that print them anew.

const { spawnSync } = require('node:child_process')
const fs = require('node:fs')
const path = require('node:path')
const { runCommand } = require('../tools/command-line')
const UserError = require('../tools/user-error')
const { figures, most, paths } = require('./figures.json')

const ROOT = path.join(__dirname, '..')
// As runText of tools/machine.js writes it.
const STAMP = /(?<date>\d{4}-\d\d-\d\d), commit (?<commit>[0-9a-f]{7,40}(?:, changed)?)/
const OLDER = 'These figures are of older code.'
const isCode = (line) => !/^\s*(\/\/|\/?\*|$)/.test(line)

/**
 * @typedef {object} Figures of a page
 * @property {string} page
 * @property {string} section whose first date and commit are those of the figures
 * @property {string} command that prints them
 * @property {number} minutes that it takes
 * @property {string[]} measures files and folders, or names of `paths`
 */

/** @returns {string} the section of a page, up to the next heading */
function sectionOf ({ page, section }) {
  const sections = fs.readFileSync(path.join(ROOT, page), 'utf8').split(/^#+ /m)
  const found = sections.find((text) => text.startsWith(`${section}\n`))
  if (found !== undefined) return found
  throw new UserError(`${page} has no section "${section}"`)
}

/** @returns {{ date: string, commit: string }} */
function stampOf (entry) {
  const { groups } = STAMP.exec(sectionOf(entry)) ?? {}
  if (groups !== undefined) return groups
  throw new UserError(`${entry.page}, ${entry.section}: no line such as "2026-01-31, commit 1c4011c"`)
}

/** Whether the page says that nobody has measured since the code changed. */
const saysOlder = (entry) => sectionOf(entry).includes(OLDER)

const pathsOf = ({ measures }) => measures.flatMap((name) => paths[name] ?? [name])

function git (folder, ...args) {
  const { status, stdout } = spawnSync('git', args, { cwd: folder, encoding: 'utf8', maxBuffer: 2 ** 28 })
  return status === 0 ? stdout : null
}

/** @returns {string | null} why no age can be told */
function obstacleOf (folder = ROOT) {
  const isShallow = git(folder, 'rev-parse', '--is-shallow-repository')
  if (isShallow === null) return 'this is no working tree of git'
  return isShallow.trim() === 'true' ? 'git has only a part of the history here' : null
}

/**
 * Lines of code, without blank ones and comments, that differ from those of a
 * commit. What is renamed is not changed, and what is moved has changed once.
 *
 * @param {string} commit
 * @param {string[]} measured files and folders
 * @param {string} [folder] of the working tree
 * @returns {number} their share of all lines, in %
 */
function changedSince (commit, measured, folder = ROOT) {
  const isMeasured = (file) => measured.some((one) => file === one || file.startsWith(`${one}/`))
  const out = git(folder, 'diff', '--no-color', '--no-ext-diff', '-U0', '-M', '-w', commit, '--', '*.js')
  if (out === null) throw new UserError(`git does not know the commit ${commit}`)
  const changed = { '+': 0, '-': 0 }
  let counts = false
  for (const line of out.split('\n')) {
    const [, name] = /^diff --git a\/.* b\/(.*)/.exec(line) ?? []
    if (name !== undefined) counts = isMeasured(name)
    else if (counts && /^[+-](?!\+\+ |-- )/.test(line) && isCode(line.slice(1))) changed[line[0]]++
  }
  return Math.max(changed['+'], changed['-']) / linesOf(measured, folder) * 100
}

function linesOf (measured, folder) {
  const files = git(folder, 'ls-files', '-z', '--', ...measured).split('\0').filter((file) => file.endsWith('.js'))
  const lines = files.flatMap((file) => fs.readFileSync(path.join(folder, file), 'utf8').split('\n'))
  return lines.filter(isCode).length
}

function main () {
  const obstacle = obstacleOf()
  if (obstacle !== null) throw new UserError(`the age of figures cannot be told: ${obstacle}`)
  const aged = figures.map((entry) => {
    const stamp = stampOf(entry)
    return { ...entry, ...stamp, share: changedSince(stamp.commit.split(',')[0], pathsOf(entry)) }
  }).sort((one, other) => other.share - one.share)
  for (const { page, section, command, minutes, date, commit, share } of aged) {
    console.log(`${share.toFixed(0).padStart(4)} %  ${page}, ${section} (${date}, commit ${commit})
        ${command}   # ${minutes} minutes`)
  }
  const old = aged.filter((entry) => entry.share > most && !saysOlder(entry)).length
  if (old > 0) throw new UserError(`${old} do not say that more than ${most} % of their code has changed`)
}

if (require.main === module) {
  runCommand({
    usage: `Which pages have figures of older code, and the commands that print them anew.

  npm run figures

For each page: the share of the lines that its figures measure that have changed since.
bench/figures.json says what that is. Status 1 if one is over ${most} %, and its page does not say
"${OLDER}"
`,
    options: {},
    run: main
  })
}

module.exports = {
  changedSince, figures, most, obstacleOf, OLDER, pathsOf, saysOlder, sectionOf, STAMP, stampOf
}
