'use strict'

// What to do, so that packages get this one: the lines to write, and what no line changes.

const { REPLACEABLE } = require('./packages')
const { changesFor, isOfTwo } = require('./recipe')

const NOTES = {
  oldParser: 'docs/under-express.md#how-do-i-put-it-under-express-4 says what changes under Express 4.',
  keptParser: 'What uses body-parser 1, such as Express 4, keeps it, unless the override is for every version: ' +
    'docs/under-express.md#how-do-i-put-it-under-express-4.',
  oldMulter: 'multer 1 is kept. Update what uses it: fast-body-parser/multer takes the place of multer 2.',
  coBody: 'co-body has another interface, so nothing takes its place: docs/migrating.md#koa-bodyparser says ' +
    'what to write instead.'
}

/** @returns {string[]} paragraphs */
function adviceOf (project, report) {
  const stale = report.uses.filter(({ status }) => status === 'not replaced')
  const changes = changesOf(project, report)
  return [
    ...stale.length > 0 ? [adviceOnStale(project, stale)] : [],
    ...changes.length > 0 ? [textOf(project, changes)] : [],
    ...notesOf(report)
  ]
}

/**
 * @param {import('./project').Project} project
 * @param {object} report of judge()
 * @param {string[]} [names] of what is to be replaced
 * @returns {import('./recipe').Change[]} what replaces each package that can be, and is not yet
 */
function changesOf (project, { uses, asks }, names = REPLACEABLE) {
  const isAsked = asks.some(({ name }) => name === 'body-parser')
  return names.flatMap((name) => {
    const open = openUses(uses, name)
    const isReplaceable = open.some(isOfTwo) || (name === 'body-parser' && !isAsked && open.length > 0)
    return isReplaceable ? changesFor(project, name, open) : []
  })
}

/** @returns {string[]} what no line changes, or what one changes besides */
function notesOf ({ uses, asks }) {
  const [parsers, multers] = REPLACEABLE.map((name) => openUses(uses, name))
  const isOld = (use) => !isOfTwo(use)
  const isNewAsked = asks.some(({ name }) => name === 'body-parser') || parsers.some(isOfTwo)
  return [
    ...parsers.some(isOld) ? [isNewAsked ? NOTES.keptParser : NOTES.oldParser] : [],
    ...multers.some(isOld) ? [NOTES.oldMulter] : [],
    ...openUses(uses, 'co-body').length > 0 ? [NOTES.coBody] : []
  ]
}

const openUses = (uses, name) => uses.filter(({ parser, status }) => parser === name && status === 'as declared')

function adviceOnStale ({ manager: { name, lock = 'the lock file' } }, stale) {
  const places = [...new Set(stale.map(({ got }) => got.place))].join(', ')
  const first = `An override has not taken effect on ${places}. Run \`${name} install\`. If that changes nothing,`
  if (name !== 'npm') return `${first} remove node_modules and ${lock}, and install again.`
  return `${first} npm keeps what was there before: remove these folders, and their entries in ${lock}, and install.`
}

function textOf ({ manager: { name } }, changes) {
  const inYaml = changes.filter(({ file }) => file === 'pnpm-workspace.yaml')
  return [
    '`npx fast-body-parser --write` writes these lines, installs and checks. By hand, add this to package.json:',
    JSON.stringify(objectOf(changes.filter((change) => !inYaml.includes(change))), null, 2),
    ...(inYaml.length === 0
      ? []
      : [
          'and this to pnpm-workspace.yaml (pnpm 9 and older read pnpm.overrides of package.json instead):',
          'overrides:',
          ...inYaml.map(({ keys, value }) => `  ${JSON.stringify(keys.at(-1))}: ${value}`)
        ]),
    `Then run \`${name} install\`, and this program again.`
  ].join('\n')
}

/** @returns {object} such as `{ overrides: { 'body-parser@2': '$body-parser' } }` */
function objectOf (changes) {
  const result = {}
  for (const { keys, value } of changes) {
    let parent = result
    for (const key of keys.slice(0, -1)) parent = (parent[key] ??= {})
    parent[keys.at(-1)] = value
  }
  return result
}

module.exports = { adviceOf, changesOf, notesOf }
