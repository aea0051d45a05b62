'use strict'

// From what V8's profilers saw to a table: what a request costs in each function, on both sides.

const { max, mean, min, sum } = require('../tools/statistics')
const percent = require('./percent')

const SURE = 1.5 // times what A differs from A, in the row where it does most
const IDLE = '(idle)' // what V8 calls native code outside JavaScript, asleep or not
const NATIVE = '(native code: libuv, parsing of requests)'
const OTHERS = '(other threads: garbage collection, compilers, the profiler)'

/**
 * @param {object} figures of a server under a profiler, see session.js
 * @returns {Record<string, { label: string, value: number }>} function -> us of CPU time that a request takes in it,
 *   which add up to `cpu`
 */
function functionsOf ({ profile, cpu, main, awake }) {
  const nodes = new Map(profile.nodes.map((node) => [node.id, node]))
  const isIdle = ({ callFrame }) => callFrame.functionName === IDLE
  const working = profile.nodes.filter((node) => !isIdle(node))
  const own = Math.min(main, cpu)
  const seen = workingTime(profile, (id) => !isIdle(nodes.get(id)))
  const inJs = own * Math.min(1, seen / awake)
  const unit = inJs / sum(working.map(({ hitCount }) => hitCount))
  const functions = {}
  for (const { callFrame, hitCount } of working) add(functions, callFrame, hitCount * unit)
  functions[NATIVE] = { label: NATIVE, value: own - inJs }
  functions[OTHERS] = { label: OTHERS, value: cpu - own }
  return functions
}

/** us between samples: half of the time belongs to the sample before, and half to the one after. */
function workingTime ({ samples, timeDeltas }, isWorking) {
  const spans = samples.map((id, i) => isWorking(id) ? (timeDeltas[i] + (timeDeltas[i + 1] ?? 0)) / 2 : 0)
  return sum(spans)
}

/** Two functions are the same if package, file and name are: lines differ between versions. */
function add (functions, { functionName, url, lineNumber }, value) {
  if (value === 0) return
  const [name, file] = nameOf(functionName, url)
  const seen = functions[`${name} ${file}`.trim()] ??= { label: name, value: 0, most: 0 }
  seen.value += value
  if (value < seen.most) return
  seen.most = value
  if (file !== '') seen.label = `${name} (${file}:${lineNumber + 1})`
}

/** @returns {[string, string]} the package and the name of a function, and its file */
function nameOf (functionName, url) {
  if (url === '') return [functionName.startsWith('(') ? functionName : `${functionName} (native)`, '']
  const place = url.replaceAll('\\', '/')
  const installed = /.*\/node_modules\/((?:@[^/]+\/)?[^/]+)\/(.*)$/.exec(place)
  const [, where, file] = installed ?? /^(node):(.*)$/.exec(place) ?? ['', 'app', place.split('/').at(-1)]
  return [`${where}: ${functionName || '(anonymous)'}`, file]
}

/**
 * @param {object} a the result of target A in a scenario, with its profile
 * @param {object} b the same of target B
 * @returns {object} see comparison.schema.json
 */
function compareProfiles ({ trials, profile: { rounds: first, again } }, { trials: others, profile: { rounds: b } }) {
  const levels = first.map(({ cpu }, i) => (cpu + again[i].cpu) / 2)
  const scale = levels.map((level) => mean(levels) / level) // what slows the machine for a round slows all sides
  const all = Object.assign({}, ...[...first, ...again, ...b].map(({ functions }) => functions))
  const rows = Object.entries(all).map(([key, { label }]) => {
    const of = (rounds) => rounds.map(({ functions }) => functions[key]?.value ?? 0)
    return { name: label, ...compareRow(of(first), of(again), of(b), scale) }
  })
  const most = max(rows.filter((row) => !isLast(row)).map(({ self }) => self))
  const named = rows.map(({ isUsual, self, ...row }) => {
    return { ...row, isNoise: isUsual || distance(row.a, row.b) <= SURE * most }
  })
  const cost = (rounds, trials) => mean(rounds.map(({ cpu }) => cpu)) / mean(trials.map(({ cpu }) => cpu))
  return {
    unit: first[0].unit,
    profiler: { a: cost(first, trials), b: cost(b, others) },
    rows: named.sort((one, two) => isLast(one) - isLast(two) || one.isNoise - two.isNoise || size(two) - size(one))
  }
}

/** B is as usual if it is within all that was seen of A, in rounds that are as slow as each other. */
function compareRow (first, again, b, scale) {
  const even = (values) => values.map((value, i) => value * scale[i])
  const seen = [...even(first), ...even(again)]
  const now = mean(even(b))
  const isUsual = now >= min(seen) && now <= max(seen)
  const [own, changed] = [mean([...first, ...again]), mean(b)]
  return { a: own, b: changed, difference: changed - own, self: distance(mean(first), mean(again)), isUsual }
}

/** In units of chance: counts of samples vary as the square roots of what they count. */
const distance = (one, two) => one === two ? 0 : Math.abs(two - one) / Math.sqrt((one + two) / 2)

/** What other threads do is no function's, and changes with the load of the machine. */
const isLast = ({ name }) => name === OTHERS
const size = ({ difference }) => Math.abs(difference)

/**
 * @param {object} profile of compareProfiles
 * @param {number} count of rows to show
 * @returns {[string[], string[][]]} head and rows of a table; the last row is the sum
 */
function profileRows ({ unit, rows }, count) {
  const number = (value) => value.toFixed(2)
  const signed = (value) => `${value < 0 ? '-' : '+'}${number(Math.abs(value))}`
  const rowOf = (name, { a, b, difference }, note) => [name, number(a), number(b), signed(difference), note]
  const total = (rows) => {
    const of = (key) => sum([0, ...rows.map((row) => row[key])])
    return { a: of('a'), b: of('b'), difference: of('difference') }
  }
  const named = (row) => rowOf(row.name, row, row.isNoise ? 'noise' : '')
  const ours = rows.filter((row) => !isLast(row))
  const rest = ours.slice(count)
  return [[`${unit} of a request`, 'A', 'B', 'difference', ''], [
    ...ours.slice(0, count).map(named),
    rowOf(`${rest.length} others`, total(rest), ''),
    ...rows.filter(isLast).map(named),
    rowOf('together', total(rows), '')
  ]]
}

/** @returns {string} what to know of the rows */
function profileNote ({ profiler }) {
  return '"noise": A differs from A as much, or varies as much from process to process. ' +
    `Under the profiler, a request takes ${percent(profiler.a)} (A) and ${percent(profiler.b)} (B)`
}

module.exports = { compareProfiles, functionsOf, profileNote, profileRows }
