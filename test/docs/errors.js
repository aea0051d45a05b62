'use strict'

// docs/errors.md has an anchor for each type of error, to which problemDetails() may lead.

const assert = require('node:assert/strict')
const path = require('node:path')
const filesIn = require('../../tools/files-in')
const { ROOT, anchorsOf, read } = require('../support/pages')

const NEVER_SEEN = ['records.abandoned'] // ends the reading of a loop that was left

const files = filesIn(path.join(ROOT, 'lib')).filter((name) => name.endsWith('.js'))
const textOf = (names) => names.map((name) => read(path.join('lib', name))).join('\n')

/** What types begin with; those of uploads/ have one prefix, which few of them are written with. */
const prefixes = new Set(Array.from(textOf(files.filter((name) => !name.startsWith('uploads')))
  .matchAll(/\btype: '(\w+)\.[\w.]+'/g), ([, prefix]) => prefix))
const TYPE = `(?:${[...prefixes].join('|')})(?:\\.[a-zA-Z]+)+`

function typesIn (text) {
  const types = Array.from(text.matchAll(new RegExp(`'(${TYPE})'`, 'g')), ([, type]) => type)
  return new Set(types.filter((type) => !NEVER_SEEN.includes(type)))
}

describe('docs/errors.md', () => {
  const anchors = anchorsOf(read('docs/errors.md'))
  const types = typesIn(textOf(files))

  it('has an anchor for each type of error of lib/', () => {
    assert.ok(types.size > 15)
    for (const type of types) assert.ok(anchors.includes(type), type)
  })

  it('has no anchor for a type that there is not', () => {
    const named = anchors.filter((anchor) => new RegExp(`^${TYPE}$`).test(anchor))
    assert.deepEqual(named.filter((anchor) => !types.has(anchor)), [])
  })

  const [, table] = /^### Errors$([^]*?)^## /m.exec(read('README.md'))
  const rows = Array.from(table.matchAll(/^\| (\[`.*?) \| (\d+) \|/gm), ([, cell, status]) =>
    Array.from(cell.matchAll(/`(.*?)`/g), ([, type]) => [type, status])).flat()

  it('has each status that the README has', () => {
    for (const [type, status] of rows) {
      assert.ok(read('docs/errors.md').includes(`<a id="${type}"></a>${type}\n\n**Status ${status}.**`), type)
    }
  })

  it('has only types that the README has, but for those of records and of multipart forms', () => {
    const known = rows.map(([type]) => type)
    const missing = [...types].filter((type) => !type.startsWith('records.') && !known.includes(type))
    assert.deepEqual(missing, [], `the table of errors in README.md has no row of ${missing}`)
  })
})
