'use strict'

// What the compiler says of a wrong option: it names that option, or the one
// that is missing.

const assert = require('node:assert/strict')
const path = require('node:path')
const ts = require('typescript')

const FILE = path.join(__dirname, 'messages.ts')

/** Calls that do not compile, and what is said in the end. */
const rows = [
  ['urlencoded({ qs: {} })', "Property 'extended' is missing"],
  ['createParser({ type: \'a/b\' })', "Property 'parse' is missing"],
  ['createParser({ parse: () => 1 })', "Property 'type' is missing"],
  ['createParser({ type: \'a/b\', charset: false })', "Property 'parse' is missing"],
  ['json({ type: [5] as readonly number[] })', "Type 'number' is not assignable to type 'string'"],
  ['json({ type: 5 })', "Type 'number' is not assignable to type 'string | string[] |"],
  ['json({ limit: true })', "Type 'true' is not assignable to type 'string | number |"],
  ['json({ strict: \'false\' })', "Type 'string' is not assignable to type 'boolean"],
  ['json({ stirct: true })', "Did you mean to write 'strict'?"],
  ['json({ depth: \'5\' })', "Type 'string' is not assignable to type 'number'"],
  ['json({ rawBody: \'raw\' })', "Type '\"raw\"' is not assignable to type 'boolean | \"coded\""],
  ['json({ timeout: \'5s\' })', "Type 'string' is not assignable to type 'number'"],
  ['urlencoded({ extended: true, qs: { depth: 1 } })', "'depth' does not exist in type 'OptionsQs'"]
]

function messages () {
  const code = ["import { createParser, json, raw, urlencoded } from 'fast-body-parser'",
    ...rows.map(([call]) => call)].join('\n')
  const options = {
    module: ts.ModuleKind.NodeNext,
    target: ts.ScriptTarget.ES2022,
    types: [],
    strict: true,
    exactOptionalPropertyTypes: true,
    skipLibCheck: true,
    noEmit: true
  }
  const host = ts.createCompilerHost(options)
  const { fileExists, getSourceFile, readFile } = host
  host.fileExists = (name) => path.resolve(name) === FILE || fileExists(name)
  host.readFile = (name) => path.resolve(name) === FILE ? code : readFile(name)
  host.getSourceFile = (name,
    ...rest) => path.resolve(name) === FILE ? ts.createSourceFile(name, code, ...rest) : getSourceFile(name, ...rest)
  const program = ts.createProgram([FILE], options, host)
  const byLine = rows.map(() => [])
  for (const { file, start, messageText } of ts.getPreEmitDiagnostics(program)) {
    byLine[ts.getLineAndCharacterOfPosition(file,
      start).line - 1].push(ts.flattenDiagnosticMessageText(messageText, '\n'))
  }
  return byLine
}

describe('the message of the compiler', function () {
  this.timeout(120_000)

  let found

  before(() => { found = messages() })

  for (const [index, [call, expected]] of rows.entries()) {
    it(`is about the option that is wrong: ${call}`, () => {
      assert.equal(found[index].length, 1)
      const last = found[index][0].split('\n').at(-1)
      assert.ok(last.includes(expected), found[index][0])
    })
  }
})
