'use strict'

// The report as text.

const { titleOf: managerTitle } = require('./asks')
const { SELF } = require('./packages')
const { titleOf } = require('./judge')
const { isIncomplete } = require('./uses')

const TITLES = {
  'body-parser': 'body-parser (Express, NestJS)',
  multer: 'multer (NestJS, @koa/multer)',
  'co-body': 'co-body (koa-bodyparser, @koa/bodyparser, koa-body)',
  [SELF]: `${SELF} by its own name`
}

const NOTHING = 'Nothing here depends on body-parser, multer, co-body or fast-body-parser.'

const missingIn = ({ name }) => `Dependencies are missing: run \`${name} install\` first.`

/** @returns {string} ends with a newline */
function textOf ({ manager, members }, { version, root, uses, copies, misplaced, faults, advice }) {
  const more = members.length === 1 ? '' : `, with ${members.length - 1} workspaces`
  const lines = [`${SELF} ${version}: ${root}, by ${managerTitle(manager)}${more}`]
  for (const [parser, title] of Object.entries(TITLES)) {
    const own = uses.filter((use) => use.parser === parser)
    if (own.length > 0) lines.push('', title, ...tableOf(own.map(rowOf)))
  }
  if (uses.length === 0) lines.push('', isIncomplete({ members }) ? missingIn(manager) : NOTHING)
  const notes = [...misplaced, ...Object.entries(copies).map(([name, of]) => {
    const places = of.map(({ place, version }) => `${version} in ${shorten(place)}`)
    return `${of.length} copies of ${name}: ${places.join(', ')}`
  })]
  if (notes.length > 0) lines.push('', 'Notes', ...notes.map((note) => `  ${note}`))
  if (faults.length > 0) lines.push('', 'Not as it should be', ...faults.map((fault) => `  ${fault}`))
  for (const paragraph of advice) lines.push('', paragraph)
  return `${lines.join('\n')}\n`
}

function rowOf ({ host, got, status }) {
  const name = `${titleOf(host)}${whereIs(host)}`
  if (got === null) return [status, name, 'nothing', '']
  const self = got.self === null ? '' : `, by ${SELF} in ${shorten(got.self)}`
  return [status, name, `${got.name} ${got.version}`, `${shorten(got.place)}${self}`]
}

function whereIs ({ name, place, isMember }) {
  if (isMember) return place === '.' ? ' (this project)' : ` (${place})`
  return place === `node_modules/${name}` ? '' : ` in ${shorten(place)}`
}

/** Folders of pnpm's store have names as long as all their peers. */
const shorten = (place) => place.replace(/(\.pnpm\/[^/_(]+)[^/]*\/node_modules\//, '$1/.../')

/** Columns as wide as what they have. */
function tableOf (rows) {
  const widths = rows[0].map((_, i) => Math.max(...rows.map((row) => row[i].length)))
  return rows.map((row) => `  ${row.map((cell, i) => cell.padEnd(widths[i])).join('  ')}`.trimEnd())
}

module.exports = textOf
