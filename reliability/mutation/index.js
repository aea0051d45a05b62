'use strict'

// npm run mutate: changes lib/ in one place at a time; tests must notice.

const { createHash } = require('node:crypto')
const { readFileSync } = require('node:fs')
const path = require('node:path')
const { clearOutput, readJson, writeJson } = require('../../tools/atomic-write')
const { byPartOfName, fileName, runCommand, wholeNumber } = require('../../tools/command-line')
const { describeMachine } = require('../../tools/machine')
const { install } = require('../../tools/npm')
const runStryker = require('./stryker')
const survivorsWithReason = require('./survivors.json')
const { filesOfLib, recordCoverage, testsOf } = require('./tests-of')

const { isNoticed } = runStryker
const FORMAT = 'fast-body-parser/mutation/2'
const ROOT = path.join(__dirname, '../..')
const FEW = 3 // files of tests that run a block, for all mutants
const MORE = 12 // and for those that survive

const files = filesOfLib().map((name) => ({ name }))

runCommand({
  usage: `npm run mutate -- [options]

Changes lib/ in one place at a time (a mutant), and runs the tests of the file,
of which one must fail: those of its name, and for each of its blocks ${FEW} that run
it, which a run of all tests shows before. What survives is tried with ${MORE}.
Prints the mutants of each file that survive, with the reason that survivors.json
has, and the share that is noticed of each room. All files take two hours: --json is
written after each of them. --from takes over, for files of lib/ that are as they
were, what was noticed; what survived is tried with those tests that are new or have
changed.
Exit status: 0 if each survivor has a reason, 1 if not, 2 for wrong options, or if
the tests of a file fail without a mutant.
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
    json: { value: 'FILE', read: fileName('.json'), help: 'write the counts, and what survives, there' },
    from: { value: 'FILE', read: fileName('.json'), help: 'the JSON of an earlier run, which is continued' },
    list: { help: 'name the files, with their tests' }
  },
  run: ({ values }) => main(values)
})

/**
 * @typedef {object} Result of a file
 * @property {string} name
 * @property {string} hash of the file
 * @property {Record<string, string>} tried tests, with the hash of each
 * @property {number} of so many mutants
 * @property {import('./stryker').Mutant[]} survivors
 * @property {string} [failure] why Stryker gave nothing the last time
 */

async function main ({ filter, jobs, json, from, list }) {
  const earlier = from === null ? [] : readJson(from, FORMAT).results
  const coverage = recordCoverage()
  const names = filter.map(({ name }) => name)
  if (list) {
    for (const name of names) console.log(`${name.padEnd(36)} ${testsOf(name, coverage, FEW).join(' ')}`)
    return
  }
  await install(__dirname, 'Stryker cannot be installed')
  const results = names.map((name) => earlier.find((result) => result.name === name && result.hash === hashOf(name)))
  if (json !== null) {
    clearOutput([json])
    save(json, results)
  }
  const waiting = [...names.keys()]
  const work = async () => {
    for (let index = waiting.shift(); index !== undefined; index = waiting.shift()) {
      results[index] = await mutate(names[index], coverage, results[index])
      console.log(textOf(results[index]))
      if (json !== null) save(json, results)
    }
  }
  await Promise.all(Array.from({ length: jobs }, work))
  process.exitCode = report(results)
}

const hashOf = (name) => createHash('sha256').update(readFileSync(path.join(ROOT, name))).digest('hex').slice(0, 16)

/** Those that are complete. */
function save (json, results) {
  const complete = results.filter((result) => result !== undefined && result.failure === undefined)
  writeJson(json, { format: FORMAT, node: process.version, machine: describeMachine(), results: complete })
}

/**
 * @param {string} name
 * @param {import('./tests-of').Coverage} coverage
 * @param {Result} [earlier]
 * @returns {Promise<Result>}
 */
async function mutate (name, coverage, earlier) {
  const result = earlier ?? await tryTests({ name, hash: hashOf(name), tried: {} }, testsOf(name, coverage, FEW))
  if (result.failure !== undefined || result.survivors.length === 0) return result
  const others = testsOf(name, coverage, MORE).filter((test) => result.tried[test] !== hashOf(test))
  return others.length === 0 ? result : tryTests(result, others)
}

/** @returns {Promise<Result>} after more tests, of what has survived so far */
async function tryTests (result, tests) {
  const { name, survivors: before } = result
  const { mutants, failure } = await runStryker(name, tests, before)
  if (failure !== undefined) return { of: 0, survivors: [], ...result, failure }
  const survivors = mutants.filter((mutant) => !isNoticed(mutant))
  const tried = { ...result.tried, ...Object.fromEntries(tests.map((test) => [test, hashOf(test)])) }
  return { ...result, tried, of: result.of ?? mutants.length, survivors }
}

/** @returns {number} exit status */
function report (results) {
  const draw = require('../../tools/text-table')
  const rooms = new Map()
  for (const { name, of, survivors } of results) {
    const open = survivors.filter((mutant) => reasonOf(name, mutant) === undefined).length
    for (const key of [path.dirname(name), 'together']) {
      const before = rooms.get(key) ?? { noticed: 0, of: 0, open: 0 }
      const noticed = before.noticed + of - survivors.length
      rooms.set(key, { noticed, of: before.of + of, open: before.open + open })
    }
  }
  const shown = [...rooms].filter(([, { of }]) => of > 0).sort(([a], [b]) => (a < b ? -1 : 1))
  const rows = shown.map(([room, { noticed, of, open }]) => {
    return [room, noticed, of, Math.floor(noticed / of * 1000) / 10, of - noticed - open, open]
  })
  console.log(draw(['room', 'noticed', 'of', '%', 'survive for a reason', 'without'], rows))
  if (results.some(({ failure }) => failure !== undefined)) return 2
  return rooms.get('together').open === 0 ? 0 : 1
}

/** What names a mutant in survivors.json: a change of its line makes another one of it. */
function keyOf ({ start: { column }, mutator, replacement, source }) {
  const change = replacement.replaceAll(/\s+/g, ' ').slice(0, 100)
  return `${column} ${mutator} -> ${change} | ${source.slice(0, 120)}`
}

const reasonOf = (name, mutant) => survivorsWithReason[name]?.[keyOf(mutant)]

/** @param {Result} result */
function textOf ({ name, of, survivors, failure }) {
  if (failure !== undefined) return `Stryker failed for ${name}:\n${failure}`
  const lines = survivors.map((mutant) => {
    const { status, start: { line } } = mutant
    return `  ${reasonOf(name, mutant) ?? status}, line ${line}: ${keyOf(mutant)}`
  })
  return [`${name}: ${of - survivors.length} of ${of}`, ...lines].join('\n')
}
