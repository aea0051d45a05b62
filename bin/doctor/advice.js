'use strict'

// What to write, and where, so that packages get this one: docs/under-express.md and docs/nestjs.md for this project.

const fs = require('node:fs')
const path = require('node:path')
const { majorsOf } = require('./packages')
const { version } = require('../../package.json')

const TARBALL = `fast-body-parser-${version}.tgz`
const FOLDER = 'node_modules/fast-body-parser/multer'
const NOTES = {
  oldParser: 'docs/under-express.md#how-do-i-put-it-under-express-4 says what changes under Express 4.',
  keptParser: 'What uses body-parser 1, such as Express 4, keeps it, unless the override is for every version: ' +
    'docs/under-express.md#how-do-i-put-it-under-express-4.',
  oldMulter: 'multer 1 is kept. Update what uses it: fast-body-parser/multer takes the place of multer 2.',
  coBody: 'co-body has another interface, so nothing takes its place: docs/migrating.md#koa-bodyparser says ' +
    'what to write instead.'
}

/** @returns {string[]} paragraphs */
function adviceOf (project, { uses, asks }) {
  const stale = uses.filter(({ status }) => status === 'not replaced')
  const open = (parser) => uses.filter((use) => use.parser === parser && use.status === 'as declared')
  const [parsers, multers] = ['body-parser', 'multer'].map(open)
  const isOld = (use) => !isOfTwo(use)
  const isNewAsked = asks.some(({ name }) => name === 'body-parser') || parsers.some(isOfTwo)
  const recipes = []
  const notes = []
  if (parsers.some(isOfTwo) || (parsers.length > 0 && !isNewAsked)) recipes.push(recipeOfParser(project, parsers))
  if (parsers.some(isOld)) notes.push(isNewAsked ? NOTES.keptParser : NOTES.oldParser)
  if (multers.some(isOfTwo)) recipes.push(recipeOfMulter(project))
  if (multers.some(isOld)) notes.push(NOTES.oldMulter)
  if (open('co-body').length > 0) notes.push(NOTES.coBody)
  return [
    ...stale.length > 0 ? [adviceOnStale(project, stale)] : [],
    ...recipes.length > 0 ? [textOf(project, recipes)] : [],
    ...notes
  ]
}

/** body-parser 2 and multer 2 are the versions whose place this package takes as they are. */
const isOfTwo = ({ range, got }) => majorsOf(range || got.version)?.includes('2') ?? got.version.startsWith('2.')

function adviceOnStale ({ manager: { name, lock = 'the lock file' } }, stale) {
  const places = [...new Set(stale.map(({ got }) => got.place))].join(', ')
  const first = `An override has not taken effect on ${places}. Run \`${name} install\`. If that changes nothing,`
  if (name !== 'npm') return `${first} remove node_modules and ${lock}, and install again.`
  return `${first} npm keeps what was there before: remove these folders, and their entries in ${lock}, and install.`
}

/** @typedef {{ replaced: string, dependencies: object, npm: object, pnpm: object, yarn: object }} Recipe */

/** @returns {Recipe} */
function recipeOfParser (project, uses) {
  const spec = specOf(project, `npm:fast-body-parser@~${version}`)
  const key = uses.some(isOfTwo) ? 'body-parser@2' : 'body-parser'
  const replaced = uses.some(isOfTwo) ? uses.filter(isOfTwo) : uses
  const hosts = replaced.filter(({ host }) => !host.isMember)
  return {
    replaced: 'body-parser',
    dependencies: { 'body-parser': spec },
    npm: { [key]: '$body-parser' },
    pnpm: { [key]: spec },
    yarn: Object.fromEntries(hosts.map(({ host }) => [`${pathOf(project, host)}/body-parser`, spec]))
  }
}

/** In Yarn 1, a path begins at the root, unless asterisks precede it. Later versions know a name, wherever it is. */
function pathOf ({ manager, manifest }, { name, place }) {
  if (manager.major !== 1) return name
  const names = place.split(/\/?node_modules\//).slice(1)
  const isDirect = names.length === 1 && [manifest.dependencies, manifest.devDependencies].some((of) => of?.[name])
  return isDirect ? name : `**/${names.join('/')}`
}

/** @returns {Recipe} */
function recipeOfMulter (project) {
  const place = project.manager.name === 'npm' ? `file:${FOLDER}` : `link:./${FOLDER}`
  const dependencies = { 'fast-body-parser': specOf(project, `~${version}`), multer: place }
  const overrides = { 'multer@2': place }
  return { replaced: 'multer', dependencies, npm: overrides, pnpm: overrides, yarn: { multer: place } }
}

/** With a tarball in the folder of the project, the one from the registry is not meant. */
const specOf = ({ root }, spec) => fs.existsSync(path.join(root, TARBALL)) ? `file:${TARBALL}` : spec

function textOf ({ manager: { name, major } }, recipes) {
  const merged = (key) => Object.assign({}, ...recipes.map((recipe) => recipe[key]))
  const dependencies = merged('dependencies')
  const first = `To replace ${recipes.map(({ replaced }) => replaced).join(' and ')}, add this to package.json:`
  const last = `Then run \`${name} install\`, and this program again.`
  const inManifest = (fields) => [first, JSON.stringify({ dependencies, ...fields }, null, 2), last].join('\n')
  if (name === 'yarn') return inManifest({ resolutions: merged('yarn') })
  if (name !== 'pnpm') return inManifest({ overrides: merged('npm') })
  if (major < 10) return inManifest({ pnpm: { overrides: merged('pnpm') } })
  return [
    first,
    JSON.stringify({ dependencies }, null, 2),
    'and this to pnpm-workspace.yaml (pnpm 9 and older read pnpm.overrides of package.json instead):',
    'overrides:',
    ...Object.entries(merged('pnpm')).map(([key, spec]) => `  ${JSON.stringify(key)}: ${spec}`),
    last
  ].join('\n')
}

module.exports = adviceOf
