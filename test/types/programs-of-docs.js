'use strict'

// The programs of docs/typescript.md, compiled as an app would be.

const assert = require('node:assert/strict')
const fs = require('node:fs')
const path = require('node:path')
const ts = require('typescript')

const ROOT = path.join(__dirname, '../..')
const FOLDER = __dirname // the package is found by its own name here
const page = fs.readFileSync(path.join(ROOT, 'docs/typescript.md'), 'utf8')

describe('docs/typescript.md', () => {
  it('has programs that compile', function () {
    this.timeout(60_000) // ms; TypeScript reads the types of Node and Express
    const programs = Array.from(page.matchAll(/^```ts\n([^]*?)^```$/gm), ([, code]) => code)
    const files = new Map(programs.map((code, i) => [path.join(FOLDER, `program-${i}.mts`), code]))
    assert.ok(files.size > 0)
    const { config } = ts.readConfigFile(path.join(FOLDER, 'tsconfig.json'), ts.sys.readFile)
    const { options } = ts.convertCompilerOptionsFromJson({ ...config.compilerOptions, skipLibCheck: true }, FOLDER)
    const host = ts.createCompilerHost(options)
    const { fileExists, readFile } = host
    host.fileExists = (name) => files.has(path.normalize(name)) || fileExists(name)
    host.readFile = (name) => files.get(path.normalize(name)) ?? readFile(name)
    const errors = ts.getPreEmitDiagnostics(ts.createProgram([...files.keys()], options, host))
    assert.equal(ts.formatDiagnostics(errors, host), '')
  })
})
