'use strict'

// TypeScript in a project that has the package installed: each way of resolving
// modules, with strict; what is compiled is run, too.

const assert = require('node:assert/strict')
const { spawnSync } = require('node:child_process')
const path = require('node:path')
const { place, remove } = require('../support/project')
const compile = require('../support/typescript')

const USE = `
const middlewares: Middleware[] = [
  bodyParser.json({ limit: '1mb', rawBody: true, onProtoPoisoning: 'error' }),
  bodyParser.urlencoded({ extended: true }), bodyParser.text(), bodyParser.raw(),
  bodyParser.createParser({ type: 'text/x', parse: (text, { charset }) => text + charset }),
  jsonAlone(), custom({ type: 'a/b', charset: false, parse: (bytes) => bytes.length }), jsonFile()
]
// @ts-expect-error
export const wrong = () => bodyParser.json({ limit: {} })
console.log(middlewares.length, typeof bodyParser.json)
`

const sources = {
  'required.cts': `import bodyParser = require('fast-body-parser')
import jsonAlone = require('fast-body-parser/json')
import custom = require('fast-body-parser/custom')
import jsonFile = require('fast-body-parser/lib/types/json.js')
type Middleware = bodyParser.Middleware
${USE}`,
  'imported.mts': `import bodyParser, { json, type Middleware, type OptionsJson } from 'fast-body-parser'
import jsonAlone from 'fast-body-parser/json'
import custom from 'fast-body-parser/custom'
import jsonFile from 'fast-body-parser/lib/types/json.js'
export const options: OptionsJson = { depth: 3 }
if (json !== bodyParser.json) throw new Error('json')
${USE}`,
  'plain.ts': `import bodyParser, { json, type Middleware } from 'fast-body-parser'
import jsonAlone from 'fast-body-parser/json'
import custom from 'fast-body-parser/custom'
import jsonFile from 'fast-body-parser/lib/types/json'
if (json !== bodyParser.json) throw new Error('json')
${USE}`
}

/** Settings, the sources that they are for, and what can be run of the output. */
const projects = {
  nodenext: [{ module: 'nodenext' }, ['required.cts', 'imported.mts'], ['required.cjs', 'imported.mjs']],
  bundler: [{ module: 'esnext', moduleResolution: 'bundler' }, ['imported.mts'], ['imported.mjs']],
  preserve: [{ module: 'preserve' }, ['plain.ts'], []],
  commonjs: [
    { module: 'commonjs', moduleResolution: 'node10', ignoreDeprecations: '6.0' }, ['plain.ts'], ['plain.js']
  ]
}

describe('TypeScript', function () {
  this.timeout(60_000) // ms; npm packs, and each compilation reads the types of Node

  let folder

  before(async () => {
    folder = await place(sources)
  })

  after(() => remove(folder))

  for (const [name, [settings, names, outputs]] of Object.entries(projects)) {
    it(`resolves it in ${name}, and the output runs`, () => {
      const { errors, emit } = compile(folder, names, { ...settings, rootDir: folder, outDir: path.join(folder, name) })
      assert.deepEqual(errors, [])
      emit()
      for (const output of outputs) {
        const { stdout, stderr } = spawnSync(process.execPath, [path.join(name, output)],
          { cwd: folder, encoding: 'utf8' })
        assert.equal(stdout, '8 function\n', stderr)
      }
    })
  }
})
