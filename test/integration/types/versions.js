'use strict'

// The type tests, with the package installed, under each TypeScript that users
// may have: the oldest that compiles them, those between, and the newest.

const assert = require('node:assert/strict')
const fs = require('node:fs')
const path = require('node:path')
const { ROOT, place, remove } = require('../support/project')
const compile = require('../support/tsc')

const VERSIONS = ['typescript-5.2', 'typescript-5.4', 'typescript-5.9', 'typescript', 'typescript-7']
const SOURCES = [path.join(ROOT, 'test/types'), path.join(__dirname, 'programs')]
const SCHEMAS = ['arktype', 'valibot'] // which the repository itself does not have

/** Name -> content of all type tests, and their settings. */
function readSources () {
  const entries = SOURCES.flatMap((folder) => fs.readdirSync(folder, { withFileTypes: true }))
  const files = entries.filter((entry) => entry.isFile()).map(({ parentPath, path: folder, name }) =>
    path.join(parentPath ?? folder, name))
  return Object.fromEntries(files.map((file) => [path.basename(file), fs.readFileSync(file, 'utf8')]))
}

describe('types under', function () {
  this.timeout(600_000) // ms; a compilation reads the types of three schema libraries

  let folder

  before(async () => {
    folder = await place(readSources())
    for (const name of SCHEMAS) {
      const link = path.join(folder, 'node_modules', name)
      if (!fs.existsSync(link)) fs.symlinkSync(path.join(__dirname, '../node_modules', name), link)
    }
  })

  after(() => remove(folder))

  for (const name of VERSIONS) {
    it(`TypeScript ${require(`${name}/package.json`).version}`, () => assert.deepEqual(compile(name, folder), []))
  }

  it('are checked at all', () => {
    fs.writeFileSync(path.join(folder, 'wrong.ts'), "import { json } from 'fast-body-parser'\njson({ strict: 'no' })\n")
    assert.match(compile('typescript-7', folder).join(), /^wrong\.ts\(2,\d+\): error TS2322/)
    fs.rmSync(path.join(folder, 'wrong.ts'))
  })
})
