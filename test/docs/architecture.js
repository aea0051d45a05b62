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

/** The files of lib/ that a file imports, at its top and inside functions; not what its comments name. */
function importsOf (name) {
  const code = sources.get(name).replace(/^\s*(?:\/\/|\/?\*).*$/gm, '')
  return Array.from(code.matchAll(/\brequire\('(\.[^']*)'\)/g), ([, id]) => {
    const target = path.posix.join(path.posix.dirname(name), id)
    return [`${target}.js`, `${target}/index.js`].find((file) => sources.has(file)) ?? assert.fail(`${name}: ${target}`)
  })
}

/** The rooms, from the one that nothing imports to the leaves. */
function readLayers () {
  const [, table] = /^## Rooms are layers$([^]*?)^## /m.exec(page)
  return Array.from(table.matchAll(/^\| `(.*?)\/?` \|/gm), ([, room]) => room)
}

/** The files that an option loads: named by the table alone. */
const OPTIONS = ['options/table.js', 'compose.js'].flatMap((name) => Array.from(sources.get(name).matchAll(/: \(\) => require\('\.\.?\/(.*?)'\)/g), ([, file]) => sources.has(`${file}.js`) ? `${file}.js` : `${file}/index.js`))

describe('docs/architecture.md', () => {
  it('has at most 140 lines', () => assert.ok(page.trimEnd().split('\n').length <= 140))

  it('lists the rooms in an order in which each imports only rooms below it', () => {
    const layers = readLayers()
    assert.deepEqual(layers.toSorted(), [...new Set(files.map(roomOf))].sort())
    for (const name of files) {
      for (const target of importsOf(name)) {
        const isBelow = layers.indexOf(roomOf(target)) > layers.indexOf(roomOf(name))
        assert.ok(isBelow || roomOf(target) === roomOf(name), `${name} imports ${target}`)
      }
    }
  })

  it('tells right that the file of an option is imported by the table alone', () => {
    assert.ok(OPTIONS.length > 10)
    const SHARED = ['json/parse.js'] // which has the option strict as well
    for (const name of files.filter((name) => !['options', 'compose.js'].includes(roomOf(name)))) {
      for (const target of importsOf(name)) assert.ok(!OPTIONS.includes(target) || SHARED.includes(target), `${name} imports ${target}`)
    }
  })

  it('tells right that there are no circles, those inside functions included', () => {
    const done = new Set()
    const visit = (name, above) => {
      assert.ok(!above.includes(name), [...above, name].join(' -> '))
      if (done.has(name)) return
      for (const target of importsOf(name)) visit(target, [...above, name])
      done.add(name)
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
    const rooms = [...new Set(files.map(roomOf))].filter((room) => !room.endsWith('.js')).join('|')
    for (const [, name] of page.matchAll(new RegExp(`(?<![\\w/])((?:${rooms})/[\\w-]+\\.js)\\b`, 'g'))) assert.ok(sources.has(name), name)
    const named = [...page.matchAll(/`(\w+)`(?: and `(\w+)`)? in `([\w/-]+\.js)`/g)]
    assert.ok(named.length > 10)
    for (const [, ...names] of named) {
      const file = names.pop()
      for (const name of names.filter(Boolean)) assert.match(sources.get(file), new RegExp(`\\b${name}\\b`), `${name} in ${file}`)
    }
  })
})
