'use strict'

// `npm test` runs with the packages of the root alone: bench/, perf/, tools/ and
// test/integration/ have packages of their own.

const assert = require('node:assert/strict')
const fs = require('node:fs')
const { isBuiltin } = require('node:module')
const path = require('node:path')
const { dependencies, devDependencies, name: self } = require('../../package.json')
const filesIn = require('../../tools/files-in')

const ROOT = path.join(__dirname, '../..')
const OTHERS = /^(?:test\/(?:integration|tools)\/|examples\/(?:opentelemetry|s3)\.js)/ // run by commands of their own
const PROGRAMS = ['index.js', 'reliability/matrix/index.js'] // which tests start
const OWN = new Set([self, ...Object.keys({ ...dependencies, ...devDependencies })])

function pathsIn (folder) {
  return filesIn(path.join(ROOT, folder)).map((name) => `${folder}/${name.replaceAll(path.sep, '/')}`)
}

/** The packages that these files require, and the files that they require; each as `file: package`. */
function packagesOf (files) {
  const packages = []
  const seen = new Set(files)
  for (const file of seen) {
    for (const [, id] of fs.readFileSync(path.join(ROOT, file), 'utf8').matchAll(/\brequire\('([\w@./:-]+)'\)/g)) {
      if (id.startsWith('node:') || isBuiltin(id)) continue
      if (id.startsWith('.')) {
        const found = findFile(path.posix.join(path.posix.dirname(file), id))
        if (found !== undefined) seen.add(found)
      } else {
        packages.push([file, /^(@[^/]+\/)?[^/]+/.exec(id)[0]])
      }
    }
  }
  return packages
}

/** Undefined for a path in a program that a test writes. */
const findFile = (name) => [`${name}.js`, `${name}/index.js`,
  name].find((file) => file.endsWith('.js') && fs.existsSync(path.join(ROOT, file)))

describe('npm test', () => {
  it('needs no packages but those of the root', () => {
    const files = [...pathsIn('examples'), ...pathsIn('lib'),
      ...pathsIn('test')].filter((file) => file.endsWith('.js') && !OTHERS.test(file))
    const packages = packagesOf([...PROGRAMS, ...files])
    assert.ok(packages.length > 100)
    assert.deepEqual(packages.filter(([, name]) => !OWN.has(name)).map(([file, name]) => `${file} needs ${name}`), [],
      'move tests of tools to test/tools/')
  })
})
