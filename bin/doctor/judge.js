'use strict'

// Whether each package gets what the project asks for, or what --expect names.

const { isForUs, readAsks } = require('./asks')
const { REPLACEABLE, SELF, findPackage, meet, splitSpec } = require('./packages')
const { placeOf } = require('./project')
const { version } = require('../../package.json')

/**
 * @param {string} text of --expect; empty for what package.json asks for
 * @returns {{ name: string, range: string | undefined }[]}
 */
function readExpectation (text) {
  const expected = text === '' ? [] : text.split(',').map((part) => splitSpec(part.trim()))
  for (const { name, range } of expected) {
    if (REPLACEABLE.includes(name) && (range === undefined || /^\d+$/.test(range))) continue
    throw new Error('--expect takes body-parser and multer, with or without a major version, such as ' +
      `--expect=body-parser@2,multer; not ${text}`)
  }
  return expected
}

/**
 * @param {import('./project').Project} project
 * @param {import('./uses').Use[]} found
 * @param {ReturnType<typeof readExpectation>} [expected]
 * @returns {object} what --json prints, without `advice`
 */
function judge (project, found, expected) {
  const { asks, misplaced } = readAsks(project, found)
  const uses = found.filter(({ got, isNeeded }) => got !== null || isNeeded).map((use) => {
    const isAsked = asksFor(project, found, asks, use)
    return { ...use, isAsked, status: statusOf(use, isAsked) }
  })
  return {
    version,
    root: project.root,
    manager: project.manager,
    asks,
    uses,
    copies: copiesOf(uses),
    misplaced,
    faults: [...brokenOf(uses), ...expected === undefined ? [] : failuresOf(uses, asks, expected)]
  }
}

/** Whether an override, or the dependency itself, is to give a package this one. */
function asksFor (project, found, asks, { parser, host, range }) {
  const { root, manager } = project
  if (!REPLACEABLE.includes(parser)) return false
  if (host.isMember && isForUs(project, found, parser, range)) return true
  if (host.place === '.' && manager.name === 'npm') return false // npm wants the dependency itself to be changed
  return asks.some(({ name, range: replaced, parent, above, isTop }) => {
    if (name !== parser || !meet(replaced, range)) return false
    if (parent === null) return true
    if (parent !== host.name || !above.every((name) => host.place.includes(splitSpec(name).name))) return false
    return !isTop || placeOf(root, findPackage(parent, root) ?? '') === host.place
  })
}

function statusOf ({ parser, got }, isAsked) {
  if (got === null) return 'missing'
  if (parser === SELF) return 'direct'
  if (parser === 'co-body') return 'as declared'
  if (got.isOurs) return got.name === SELF || got.self !== null ? 'replaced' : 'broken'
  return isAsked ? 'not replaced' : 'as declared'
}

/** What fails in any project. */
function brokenOf (uses) {
  return uses.flatMap(({ parser, host, status, got }) => {
    if (status === 'missing') return [`${titleOf(host)} finds no ${parser}: install the dependencies`]
    if (status !== 'broken') return []
    return [`${titleOf(host)} gets ${got.place}, which finds no ${SELF}: add it to the dependencies, and install`]
  })
}

function failuresOf (uses, asks, expected) {
  const failures = (of) => of.filter(({ status }) => !['replaced', 'missing', 'broken'].includes(status))
    .map(({ host, parser, got }) => `${titleOf(host)} gets ${got.name} ${got.version}, not ${SELF}, as ${parser}`)
  if (expected.length > 0) {
    return expected.flatMap(({ name, range }) => {
      const own = uses.filter((use) => use.parser === name && meet(range, rangeOf(use)))
      return own.length === 0 ? [`nothing here uses ${name}${range === undefined ? '' : ` ${range}`}`] : failures(own)
    })
  }
  const asked = uses.filter(({ isAsked }) => isAsked)
  if (asked.length > 0) return [...failures(asked), ...missedBy(asks, uses)]
  return [asks.length > 0 ? 'no package here uses what is to be replaced' : 'nothing asks for a replacement']
}

/** An override that reaches no package: under Express 4, one for body-parser 2 alone. */
function missedBy (asks, uses) {
  const others = (name) => uses.filter(({ parser, host }) => parser === name && !host.isMember)
  const idle = asks.filter(({ name, range }) => range !== undefined && !others(name).some(({ isAsked }) => isAsked))
  return idle.flatMap(({ name, range }) => others(name).map(({ host, got }) => {
    return `${titleOf(host)} gets ${got.name} ${got.version}: the override for ${name}@${range} does not reach it`
  }))
}

const rangeOf = ({ range, got }) => range || got?.version

const titleOf = ({ name, version }) => version === '' ? name : `${name} ${version}`

/** @returns {Record<string, string[]>} name -> the folders and versions of a package that is there more than once */
function copiesOf (uses) {
  const places = new Map()
  for (const { got } of uses.filter(({ got }) => got !== null)) {
    if (!places.has(got.name)) places.set(got.name, new Map())
    places.get(got.name).set(got.place, got.version)
  }
  return Object.fromEntries([...places].filter(([, of]) => of.size > 1)
    .map(([name, of]) => [name, Array.from(of, ([place, version]) => ({ place, version }))]))
}

module.exports = { judge, readExpectation, titleOf }
