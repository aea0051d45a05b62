'use strict'

// npm run mutate: changes lib/ in one place at a time; tests must notice.

const { readFileSync, writeFileSync } = require('node:fs')
const os = require('node:os')
const path = require('node:path')
const { clearOutput, temporaryFolder, writeJson } = require('../../tools/atomic-write')
const { spawn } = require('../../tools/child-process')
const { byPartOfName, fileName, number, runCommand, wholeNumber } = require('../../tools/command-line')
const { describeMachine } = require('../../tools/machine')
const { install } = require('../../tools/npm')
const settings = require('./stryker.json')
const { filesOfLib, recordCalls, testsOf } = require('./tests-of')

const ROOT = path.join(__dirname, '../..')
const STRYKER = path.join(__dirname, 'node_modules/@stryker-mutator/core/bin/stryker.js')

const files = filesOfLib().map((name) => ({ name }))

runCommand({
  usage: `npm run mutate -- [options]

Changes lib/ in one place at a time (a mutant), and runs the tests of the file,
of which one must fail: those of its name, and those that call its functions,
which a run of all tests shows before. Prints the share that is noticed for each
file, and the mutants that survive.
Exit status: 0 if the share is at least --min-score, 1 if not, 2 for wrong options,
or if the tests of a file fail without a mutant.
`,
  options: {
    filter: {
      value: 'A,B',
      read: byPartOfName(files, 'a file'),
      default: () => files,
      help: 'only files whose name contains one of these'
    },
    jobs: {
      value: 'N',
      read: wholeNumber(1, 64),
      default: 4,
      help: 'files at the same time; on two cores, four take half the time of two'
    },
    'min-score': { value: 'N', read: number(0, 100), default: 96, help: '% of the mutants that must be noticed' },
    json: { value: 'FILE', read: fileName('.json'), help: 'write all mutants there' },
    list: { help: 'name the files, with their tests' }
  },
  failureStatus: 2,
  run: ({ values }) => main(values)
})

async function main ({ filter, jobs, minScore, json, list }) {
  const calls = recordCalls()
  const selected = filter.map(({ name }) => ({ name, tests: testsOf(name, calls) }))
  if (list) return console.log(selected.map(({ name, tests }) => `${name.padEnd(36)} ${tests.join(' ')}`).join('\n'))
  await install(__dirname, 'Stryker cannot be installed')
  const draw = require('../../tools/text-table')
  if (json !== null) clearOutput([json])
  const waiting = [...selected.entries()]
  const results = []
  const work = async () => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      const [index, file] = next
      results[index] = await mutate(file, temporaryFolder(path.join(os.tmpdir(), 'mutants')))
      console.log(results[index].failure ?? survivorsText(results[index]))
    }
  }
  await Promise.all(Array.from({ length: jobs }, work))

  const rows = results.filter(({ mutants }) => mutants.length > 0).map(rowOf)
  const total = rowOf({ name: 'together', mutants: results.flatMap(({ mutants }) => mutants) })
  console.log(draw(['file', 'noticed', 'of', '%'], [...rows, total]))
  if (json !== null) {
    writeJson(json, { date: new Date().toISOString(), node: process.version, machine: describeMachine(), results })
  }
  const isComplete = results.every(({ failure }) => failure === undefined)
  process.exitCode = !isComplete ? 2 : total.at(-1) >= minScore ? 0 : 1
}

/**
 * @returns {Promise<{ name: string, mutants: { status: string, line: number, column: number, mutator: string,
 *   replacement: string, source: string }[], failure?: string }>}
 */
async function mutate ({ name, tests }, folder) {
  const output = path.join(folder, 'result.json')
  const config = path.join(folder, 'config.json')
  const { mochaOptions } = settings
  writeFileSync(config, JSON.stringify({
    ...settings,
    mutate: [name],
    mochaOptions: { ...mochaOptions, spec: [...mochaOptions.spec, ...tests] },
    jsonReporter: { fileName: output },
    tempDirName: path.join(folder, 'sandbox')
  }))
  const failure = await run(config)
  if (failure !== null) return { name, mutants: [], failure: `Stryker failed for ${name}:\n${failure}` }
  const [{ mutants, source }] = Object.values(JSON.parse(readFileSync(output, 'utf8')).files)
  const lines = source.split('\n')
  const listed = mutants.map(({ status, location: { start: { line, column } }, mutatorName: mutator, replacement }) =>
    ({ status, line, column, mutator, replacement, source: lines[line - 1].trim() }))
  return { name, mutants: listed }
}

/** @returns {Promise<string | null>} the end of what Stryker printed, if it failed */
function run (config) {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [STRYKER, 'run', config],
      { cwd: ROOT, stdio: ['ignore', 'pipe', 'pipe'], detached: true })
    let output = ''
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (text) => { output += text })
    child.once('error', reject)
    child.once('close', (code) => resolve(code === 0 ? null : output.slice(-3000)))
  })
}

const NOTICED = ['Killed', 'Timeout']
const IGNORED = ['CompileError', 'RuntimeError', 'Ignored']

function rowOf ({ name, mutants }) {
  const valid = mutants.filter(({ status }) => !IGNORED.includes(status))
  const noticed = valid.filter(({ status }) => NOTICED.includes(status))
  return [name, noticed.length, valid.length, Math.floor(noticed.length / valid.length * 1000) / 10]
}

function survivorsText ({ name, mutants }) {
  const survivors = mutants.filter(({ status }) => ![...NOTICED, ...IGNORED].includes(status))
  const lines = survivors.map(({ status, line, column, mutator, replacement, source }) => {
    const [change, code] = [replacement.replaceAll(/\s+/g, ' ').slice(0, 100), source.slice(0, 120)]
    return `  ${status} ${line}:${column} ${mutator} -> ${change} | ${code}`
  })
  return [rowOf({ name, mutants }).slice(0, 3).join(' '), ...lines].join('\n')
}
