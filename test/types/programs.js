'use strict'

// What the compiler says of a wrong option: it names that option, or the one that is missing. And the programs of
// docs/typescript.md, which it takes.

const assert = require('node:assert/strict')
const path = require('node:path')
const ts = require('typescript')
const { blocksOf, read } = require('../support/pages')

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

/** Compiles texts as files of this folder, where the package is found by its own name. */
function compile (texts) {
  const files = new Map(texts.map((text, i) => [path.join(__dirname, `program-${i}.mts`), text]))
  const { config } = ts.readConfigFile(path.join(__dirname, 'tsconfig.json'), ts.sys.readFile)
  const { options } = ts.convertCompilerOptionsFromJson(config.compilerOptions, __dirname)
  const host = ts.createCompilerHost(options)
  const { fileExists, readFile } = host
  host.fileExists = (name) => files.has(path.normalize(name)) || fileExists(name)
  host.readFile = (name) => files.get(path.normalize(name)) ?? readFile(name)
  const errors = ts.getPreEmitDiagnostics(ts.createProgram([...files.keys()], options, host))
  return errors.map(({ file, start, messageText }) => ({
    line: file && ts.getLineAndCharacterOfPosition(file, start).line,
    message: ts.flattenDiagnosticMessageText(messageText, '\n')
  }))
}

describe('the compiler', function () {
  this.timeout(120_000) // ms; it reads the types of Node and Express

  let found

  before(() => {
    const calls = rows.map(([call]) => call)
    found = compile([["import { createParser, json, urlencoded } from 'fast-body-parser'", ...calls].join('\n')])
  })

  for (const [index, [call, expected]] of rows.entries()) {
    it(`says what is wrong with an option: ${call}`, () => {
      const [{ message }, ...others] = found.filter(({ line }) => line === index + 1)
      assert.deepEqual(others, [])
      assert.ok(message.split('\n').at(-1).includes(expected), message)
    })
  }

  it('takes the programs of docs/typescript.md', () => {
    const programs = blocksOf(read('docs/typescript.md')).filter(({ language }) => language === 'ts')
    assert.ok(programs.length > 0)
    assert.deepEqual(compile(programs.map(({ code }) => code)), [])
  })
})
