'use strict'

// What docs/architecture.md says of lib/.

const assert = require('node:assert/strict')
const fs = require('node:fs')
const path = require('node:path')
const filesIn = require('../../tools/files-in')

const ROOT = path.join(__dirname, '../..')
const LIB = path.join(ROOT, 'lib')
const page = fs.readFileSync(path.join(ROOT, 'docs/architecture.md'), 'utf8')

const files = filesIn(LIB)
  .map((name) => name.replaceAll(path.sep, '/'))
  .filter((name) => name.endsWith('.js'))
  .sort()
const sources = new Map(files.map((name) => [name, fs.readFileSync(path.join(LIB, name), 'utf8')]))
const areaOf = (name) => name.split('/', 1)[0]
const folderOf = (name) => path.posix.dirname(name)

/** The files of lib/ that a file imports, at its top and inside functions; not what its comments name. */
function importsOf (name) {
  const code = sources.get(name).replace(/^\s*(?:\/\/|\/?\*).*$/gm, '')
  return Array.from(code.matchAll(/\brequire\('(\.[^']*)'\)/g), ([, id]) => {
    const target = path.posix.join(path.posix.dirname(name), id)
    return [`${target}.js`, `${target}/index.js`].find((file) => sources.has(file)) ?? assert.fail(`${name}: ${target}`)
  })
}

/** @returns {string[][]} the areas, and the folders inside them; each from what nothing imports to the leaves */
function readLayers () {
  const [, section] = /^## Areas and folders are layers$([^]*?)^## /m.exec(page)
  return section.split('| folder |').map((table) =>
    Array.from(table.matchAll(/^\| `(.*?)\/?` \|/gm), ([, name]) => name))
}

/** @returns {boolean} whether a file may import another */
function isBelow (target, name) {
  const [areas, folders] = readLayers()
  if (areaOf(target) !== areaOf(name)) return areas.indexOf(areaOf(target)) > areas.indexOf(areaOf(name))
  return folderOf(target) === folderOf(name) || folders.indexOf(folderOf(target)) > folders.indexOf(folderOf(name))
}

describe('docs/architecture.md', () => {
  it('lists the areas and the folders in an order in which each imports only what is below it', () => {
    const [areas, folders] = readLayers()
    assert.ok(areas.length <= 14)
    assert.deepEqual(areas.toSorted(), [...new Set(files.map(areaOf))].sort())
    const areasOfFolders = new Set(folders.map(areaOf))
    assert.deepEqual(folders.toSorted(),
      [...new Set(files.map(folderOf))].filter((folder) => areasOfFolders.has(areaOf(folder))).sort())
    for (const name of files) {
      const folder = folderOf(name)
      assert.ok(!folder.includes('/') || folders.includes(folder), `${folder} is not listed`)
      for (const target of importsOf(name)) assert.ok(isBelow(target, name), `${name} imports ${target}`)
    }
  })

  it('lists the files of core/ in an order in which each imports only those below it', () => {
    const [, row] = /^\| `core\/` \| (in this order.*) \|$/m.exec(page)
    const order = Array.from(row.matchAll(/`([\w-]+\.js)`/g), ([, name]) => `core/${name}`)
    assert.deepEqual(order.toSorted(), files.filter((name) => folderOf(name) === 'core'))
    for (const name of order) {
      for (const target of importsOf(name)) {
        assert.ok(order.indexOf(target) > order.indexOf(name), `${name} imports ${target}`)
      }
    }
  })

  it('tells right that nothing outside of options/ imports the file of an option', () => {
    for (const name of files.filter((name) => areaOf(name) !== 'options')) {
      for (const target of importsOf(name)) {
        assert.ok(areaOf(target) !== 'options' || target === 'options/read-options.js', `${name} imports ${target}`)
      }
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
    const marked = files.flatMap((name) =>
      Array.from(sources.get(name).matchAll(/Intentionally module-level/g), () => name))
    assert.deepEqual(listed, marked)
    for (const name of files) {
      for (const [, variable] of sources.get(name).matchAll(/^let (\w+)/gm)) {
        assert.ok(marked.includes(name), `${name}: ${variable}`)
      }
    }
  })

  it('names files that there are', () => {
    const names = [...new Set(files.map(areaOf))].filter((area) => !area.endsWith('.js')).join('|')
    for (const [, name] of page.matchAll(new RegExp(`(?<![\\w/])((?:${names})/[\\w/-]+\\.js)\\b`, 'g'))) {
      assert.ok(sources.has(name), name)
    }
  })
})
