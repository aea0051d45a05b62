'use strict'

// docs/errors.md has an anchor for each type of error, to which problemDetails() may lead.

const assert = require('node:assert/strict')
const { readdirSync } = require('node:fs')
const path = require('node:path')
const { ROOT, anchorsOf, read } = require('../support/pages')

const AREAS = 'budget|charset|encoding|entity|media|parameters|querystring|records|request|stream'
const NEVER_SEEN = ['records.abandoned'] // ends the reading of a loop that was left

function typesIn (folder) {
  const files = readdirSync(path.join(ROOT, folder), { recursive: true }).filter((name) => name.endsWith('.js'))
  const text = files.map((name) => read(path.join(folder, name))).join('\n')
  const types = Array.from(text.matchAll(new RegExp(`'((?:${AREAS})(?:\\.[a-zA-Z]+)+)'`, 'g')), ([, type]) => type)
  return new Set(types.filter((type) => !NEVER_SEEN.includes(type)))
}

describe('docs/errors.md', () => {
  const anchors = anchorsOf(read('docs/errors.md'))
  const types = typesIn('lib')

  it('has an anchor for each type of error of lib/', () => {
    assert.ok(types.size > 15)
    for (const type of types) assert.ok(anchors.includes(type), type)
  })

  it('has no anchor for a type that there is not', () => {
    const named = anchors.filter((anchor) => new RegExp(`^(?:${AREAS})\\.`).test(anchor))
    assert.deepEqual(named.filter((anchor) => !types.has(anchor)), [])
  })

  it('has each status that the README has', () => {
    const [, table] = /^### Errors$([^]*?)^## /m.exec(read('README.md'))
    for (const [, cell, status] of table.matchAll(/^\| (\[`.*?) \| (\d+) \|/gm)) {
      for (const [, type] of cell.matchAll(/`(.*?)`/g)) {
        assert.ok(read('docs/errors.md').includes(`<a id="${type}"></a>${type}\n\n**Status ${status}.**`), type)
      }
    }
  })
})
