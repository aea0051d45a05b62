'use strict'

// The package as each module system gets it, installed, with no bundler.

const assert = require('node:assert/strict')
const { place, remove, run } = require('../support/project')

const CHECK = `
function check (what, factory) {
  if (typeof factory !== 'function' || typeof factory() !== 'function') throw new Error(what)
}
`

const programs = {
  'main.cjs': `
const bodyParser = require('fast-body-parser')
const { json, raw, text, urlencoded, createParser } = require('fast-body-parser')
if (bodyParser.json !== require('fast-body-parser/json') || json !== bodyParser.json) throw new Error('json')
if (createParser !== require('fast-body-parser/custom')) throw new Error('custom')
for (const name of ['json', 'raw', 'text', 'urlencoded']) {
  check(name, require('fast-body-parser/' + name))
  check(name, require('fast-body-parser/lib/types/' + name))
  check(name, require('fast-body-parser/lib/types/' + name + '.js'))
}
check('raw', raw); check('text', text); check('urlencoded', urlencoded)
console.log(require('fast-body-parser/package.json').name)
`,
  'main.mjs': `
import bodyParser, { json, raw, text, urlencoded, createParser } from 'fast-body-parser'
import * as namespace from 'fast-body-parser'
import jsonAlone from 'fast-body-parser/json'
import rawAlone from 'fast-body-parser/raw'
import textAlone from 'fast-body-parser/text'
import urlencodedAlone from 'fast-body-parser/urlencoded'
import custom from 'fast-body-parser/custom'
import jsonFile from 'fast-body-parser/lib/types/json'
import manifest from 'fast-body-parser/package.json' with { type: 'json' }
if (bodyParser.json !== json || namespace.default !== bodyParser || namespace.json !== json) throw new Error('json')
if (jsonAlone !== json || jsonFile !== json || rawAlone !== raw || textAlone !== text) throw new Error('subpaths')
if (urlencodedAlone !== urlencoded || custom !== createParser) throw new Error('subpaths')
check('json', json); check('raw', raw); check('text', text); check('urlencoded', urlencoded)
console.log(manifest.name)
`
}

describe('modules', function () {
  this.timeout(60_000) // ms; npm packs

  let folder

  before(async () => {
    const files = Object.entries(programs).map(([name, program]) => [name, program + CHECK])
    folder = await place(Object.fromEntries(files))
  })

  after(() => remove(folder))

  for (const name of Object.keys(programs)) {
    it(`run ${name}`, async () => {
      const { stdout, stderr } = await run(process.execPath, ['--no-warnings', name], { cwd: folder })
      assert.equal(stdout, 'fast-body-parser\n')
      assert.equal(stderr, '')
    })
  }

  it('have types alone at /raw-body, which says so', async () => {
    const error = await run(process.execPath, ['-e', "require('fast-body-parser/raw-body')"], { cwd: folder }).then(
      () => undefined,
      (error) => error
    )
    assert.match(error.stderr, /ERR_PACKAGE_PATH_NOT_EXPORTED/)
  })
})
