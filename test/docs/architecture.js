'use strict'

// What docs/architecture.md says of lib/.

const assert = require('node:assert/strict')
const fs = require('node:fs')
const path = require('node:path')

const ROOT = path.join(__dirname, '../..')
const LIB = path.join(ROOT, 'lib')
const page = fs.readFileSync(path.join(ROOT, 'docs/architecture.md'), 'utf8')

const files = fs.readdirSync(LIB, { recursive: true }).map((name) => name.replaceAll(path.sep, '/')).filter((name) => name.endsWith('.js')).sort()
const sources = new Map(files.map((name) => [name, fs.readFileSync(path.join(LIB, name), 'utf8')]))
const roomOf = (name) => name.includes('/') ? name.slice(0, name.indexOf('/')) : name

/** What a file imports of lib/; `isLazy` if only inside a function. */
function importsOf (name) {
  return Array.from(sources.get(name).matchAll(/^(.*)\brequire\('(\.[^']*)'\)/gm), ([, before, id]) => {
    const target = path.posix.join(path.posix.dirname(name), id)
    return { target: `${target}.js`, isLazy: !/^(const|let) [^=]* = $/.test(before) }
  })
}

const MAY_IMPORT = {
  types: ['read.js', 'core', 'json', 'form', 'multipart', 'extras'],
  'read.js': ['core', 'extras'],
  core: ['core', 'extras'],
  json: ['json', 'core', 'extras', 'platform'],
  form: ['core', 'extras'],
  multipart: ['multipart', 'form', 'core', 'extras'],
  extras: ['extras', 'read.js', 'core', 'json', 'platform', 'slices'],
  platform: ['platform'],
  slices: ['slices', 'platform'],
  web: ['web', 'json', 'form', 'core', 'extras']
}

describe('docs/architecture.md', () => {
  it('has the import rules that lib/ keeps', () => {
    for (const name of files) {
      for (const { target, isLazy } of importsOf(name)) {
        assert.ok(sources.has(target), `${name}: ${target}`)
        assert.ok(MAY_IMPORT[roomOf(name)].includes(roomOf(target)), `${name} imports ${target}`)
        if (['core', 'form', 'json', 'types'].includes(roomOf(name)) && roomOf(target) === 'extras') assert.ok(isLazy, `${name} imports ${target} at its top`)
      }
    }
  })

  it('tells right that there are no circles', () => {
    const visit = (name, above) => {
      assert.ok(!above.includes(name), [...above, name].join(' -> '))
      for (const { target, isLazy } of importsOf(name)) if (!isLazy) visit(target, [...above, name])
    }
    for (const name of files) visit(name, [])
  })

  it('lists the module-level state', () => {
    const [, table] = /^## Module-level state$([^]*?)^## /m.exec(page)
    const listed = Array.from(table.matchAll(/^\| `(.*?)` \|/gm), ([, name]) => name).sort()
    const marked = files.flatMap((name) => Array.from(sources.get(name).matchAll(/Intentionally module-level/g), () => name))
    assert.deepEqual(listed, marked)
    for (const name of files) {
      for (const [, variable] of sources.get(name).matchAll(/^let (\w+)/gm)) assert.ok(marked.includes(name), `${name}: ${variable}`)
    }
  })

  it('names files and functions that there are', () => {
    for (const [, name] of page.matchAll(/`((?:core|extras|json|form|platform|types|slices)\/[\w-]+\.js)`/g)) assert.ok(sources.has(name), name)
    for (const [, name, file] of page.matchAll(/`(\w+)` in `([\w/-]+\.js)`/g)) assert.match(sources.get(file), new RegExp(`\\b${name}\\b`), `${name} in ${file}`)
  })
})
