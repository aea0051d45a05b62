'use strict'

// npm run mutate: changes lib/ in one place at a time; tests must notice.

const { createHash } = require('node:crypto')
const { readFileSync, writeFileSync } = require('node:fs')
const os = require('node:os')
const path = require('node:path')
const { clearOutput, readJson, temporaryFolder, writeJson } = require('../../tools/atomic-write')
const { spawn } = require('../../tools/child-process')
const { byPartOfName, fileName, number, runCommand, wholeNumber } = require('../../tools/command-line')
const { describeMachine } = require('../../tools/machine')
const { install } = require('../../tools/npm')
const settings = require('./stryker.json')
const { filesOfLib, recordCalls, testsOf } = require('./tests-of')

const FORMAT = 'fast-body-parser/mutation/1'
const ROOT = path.join(__dirname, '../..')
const FUZZ_RUNS = '100' // random cases of a test
const STRYKER = path.join(__dirname, 'node_modules/@stryker-mutator/core/bin/stryker.js')

const files = filesOfLib().map((name) => ({ name }))

runCommand({
  usage: `npm run mutate -- [options]

Changes lib/ in one place at a time (a mutant), and runs the tests of the file,
of which one must fail: those of its name, and those that call its functions,
which a run of all tests shows before. Prints the mutants of each file that survive,
and the share that is noticed of each room. All files take hours: --json is written
after each of them, and --from takes from it those that are as they were, with their
tests.
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
    json: { value: 'FILE', read: fileName('.json'), help: 'write the counts, and what survives, there' },
    from: { value: 'FILE', read: fileName('.json'), help: 'the JSON of an earlier run, which is continued' },
    list: { help: 'name the files, with their tests' }
  },
  failureStatus: 2,
  run: ({ values }) => main(values)
})

async function main ({ filter, jobs, minScore, json, from, list }) {
  const earlier = from === null ? [] : readJson(from, FORMAT).results
  const calls = recordCalls()
  const selected = filter.map(({ name }) => describeFile(name, testsOf(name, calls)))
  if (list) return console.log(selected.map(({ name, tests }) => `${name.padEnd(36)} ${tests.join(' ')}`).join('\n'))
  await install(__dirname, 'Stryker cannot be installed')
  const results = selected.map(({ hash }) => earlier.find((result) => result.hash === hash))
  if (json !== null) {
    clearOutput([json])
    save(json, results)
  }
  const waiting = [...selected.keys()].filter((index) => results[index] === undefined)
  const work = async () => {
    for (let index = waiting.shift(); index !== undefined; index = waiting.shift()) {
      results[index] = await mutate(selected[index], temporaryFolder(path.join(os.tmpdir(), 'mutants')))
      console.log(textOf(results[index]))
      if (json !== null) save(json, results)
    }
  }
  await Promise.all(Array.from({ length: jobs }, work))
  process.exitCode = report(results, minScore)
}

/** The hash tells whether an earlier result is still right. */
function describeFile (name, tests) {
  const hash = createHash('sha256')
  for (const file of [name, ...tests]) hash.update(readFileSync(path.join(ROOT, file)))
  return { name, tests, hash: hash.digest('hex').slice(0, 16) }
}

/** Those that are complete. */
function save (json, results) {
  const complete = results.filter((result) => result !== undefined && result.failure === undefined)
  writeJson(json, { format: FORMAT, node: process.version, machine: describeMachine(), results: complete })
}

/** @returns {number} exit status */
function report (results, minScore) {
  const draw = require('../../tools/text-table')
  const rooms = new Map()
  for (const { name, noticed, of } of results) {
    for (const key of [path.dirname(name), 'together']) {
      const before = rooms.get(key) ?? { noticed: 0, of: 0 }
      rooms.set(key, { noticed: before.noticed + noticed, of: before.of + of })
    }
  }
  const shareOf = ({ noticed, of }) => Math.floor(noticed / of * 1000) / 10
  const together = rooms.get('together')
  const shown = [...rooms].filter(([, { of }]) => of > 0).sort(([a], [b]) => (a < b ? -1 : 1))
  const rows = shown.map(([room, row]) => [room, row.noticed, row.of, shareOf(row)])
  console.log(draw(['room', 'noticed', 'of', '%'], rows))
  if (results.some(({ failure }) => failure !== undefined)) return 2
  return shareOf(together) >= minScore ? 0 : 1
}

/**
 * @typedef {object} Result
 * @property {string} name
 * @property {string} hash
 * @property {number} noticed of so many mutants (`of`)
 * @property {object[]} survivors
 * @property {string} [failure] why there is none
 */

const NOTICED = ['Killed', 'Timeout']
const IGNORED = ['CompileError', 'RuntimeError', 'Ignored']

/** @returns {Promise<Result>} */
async function mutate ({ name, tests, hash }, folder) {
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
  if (failure !== null) return { name, hash, noticed: 0, of: 0, survivors: [], failure }
  const [{ mutants, source }] = Object.values(JSON.parse(readFileSync(output, 'utf8')).files)
  const lines = source.split('\n')
  const valid = mutants.filter(({ status }) => !IGNORED.includes(status))
  const survivors = valid.filter(({ status }) => !NOTICED.includes(status))
  return {
    name,
    hash,
    noticed: valid.length - survivors.length,
    of: valid.length,
    survivors: survivors.map(({ status, location: { start: { line, column } }, mutatorName, replacement }) => {
      return { status, line, column, mutator: mutatorName, replacement, source: lines[line - 1].trim() }
    })
  }
}

/**
 * A mutant of code that runs while a file is loaded needs a process of its own. With compiled code kept beside the
 * configuration (Node.js 22 or newer), it takes 0.9 s instead of 1.5.
 *
 * @returns {Promise<string | null>} the end of what Stryker printed, if it failed
 */
function run (config) {
  return new Promise((resolve, reject) => {
    const env = { FUZZ_RUNS, NODE_COMPILE_CACHE: path.join(path.dirname(config), 'compiled'), ...process.env }
    const child = spawn(process.execPath, [STRYKER, 'run', config],
      { cwd: ROOT, env, stdio: ['ignore', 'pipe', 'pipe'], detached: true })
    let output = ''
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (text) => { output += text })
    child.once('error', reject)
    child.once('close', (code) => resolve(code === 0 ? null : output.slice(-3000)))
  })
}

/** @param {Result} result */
function textOf ({ name, noticed, of, survivors, failure }) {
  if (failure !== undefined) return `Stryker failed for ${name}:\n${failure}`
  const lines = survivors.map(({ status, line, column, mutator, replacement, source }) => {
    const [change, code] = [replacement.replaceAll(/\s+/g, ' ').slice(0, 100), source.slice(0, 120)]
    return `  ${status} ${line}:${column} ${mutator} -> ${change} | ${code}`
  })
  return [`${name}: ${noticed} of ${of}`, ...lines].join('\n')
}
