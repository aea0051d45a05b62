'use strict'

// Where the time of a row goes, and what V8 compiled on a wrong guess:
// `node bench/profile.js`, or with the name of a row, and --express.

require('./install').installCompetitors()

const { execFileSync } = require('node:child_process')
const { Session } = require('node:inspector/promises')
const path = require('node:path')
const { fileURLToPath } = require('node:url')
const { parseArgs } = require('node:util')
const { competitors } = require('./competitors')
const createLoop = require('./loop')
const { rows } = require('./sections').work
const { createHandler } = require('./stack')
const { draw } = require('./table')

const ROOT = path.join(__dirname, '..')
const ROW = 'json 274 B, as a server feeds it'
const WARM = 200_000 // requests
const PROFILED = 300_000 // requests
const INTERVAL = 100 // us between two samples
const SHOWN = 15 // functions

async function main () {
  const { values: { express, 'warm-only': warmOnly }, positionals: [name = ROW] } = parseArgs({
    options: { express: { type: 'boolean', default: false }, 'warm-only': { type: 'boolean', default: false } },
    allowPositionals: true
  })
  const row = rows.find((row) => row.name === name)
  if (row === undefined) throw new Error(`no row is called "${name}"; npm run bench shows them`)
  const work = row.build()
  const loop = createLoop(work, await createHandler(competitors.find((one) => one.name === 'ours'), work), express)
  await loop(WARM)
  if (warmOnly) return

  console.log(`Node ${process.version}, ${name}${express ? ", Express's requests" : ''}`)
  console.log(draw(['self time', '%', 'where'], selfTimes(await profile(loop))))
  const wrong = deoptimizations(name, express)
  console.log(draw(['compiled on a wrong guess while warming', 'where'], wrong.length === 0 ? [['none', '']] : wrong))
}

async function profile (loop) {
  const session = new Session()
  session.connect()
  await session.post('Profiler.enable')
  await session.post('Profiler.setSamplingInterval', { interval: INTERVAL })
  await session.post('Profiler.start')
  await loop(PROFILED)
  const { profile } = await session.post('Profiler.stop')
  session.disconnect()
  return profile
}

/** @returns {string[][]} function, share of the samples in %, file and line */
function selfTimes ({ nodes, samples }) {
  const labels = new Map(nodes.map(({ id, callFrame }) => [id, JSON.stringify(labelOf(callFrame))]))
  const counts = new Map()
  for (const id of samples) counts.set(labels.get(id), (counts.get(labels.get(id)) ?? 0) + 1)
  return [...counts].sort(([, a], [, b]) => b - a).slice(0, SHOWN).map(([label, count]) => {
    const [name, where] = JSON.parse(label)
    return [name, (100 * count / samples.length).toFixed(1), where]
  })
}

function labelOf ({ functionName, url, lineNumber }) {
  const file = url.startsWith('file:') ? path.relative(ROOT, fileURLToPath(url)) : url
  return [functionName || '(anonymous)', file && `${file}:${lineNumber + 1}`]
}

/**
 * What `--trace-deopt` says of lib/ in a fresh process. Once or twice for a
 * function is how the engine learns; again and again would be a fault.
 *
 * @returns {string[][]} reason, function and file
 */
function deoptimizations (name, express) {
  const flags = ['--trace-deopt', '--trace-file-names', __filename, name, '--warm-only', ...(express ? ['--express'] : [])]
  const trace = execFileSync(process.execPath, flags, { encoding: 'utf8', maxBuffer: 2 ** 30 })
  const lib = path.join(ROOT, 'lib')
  return [...trace.matchAll(/reason: (.+?)\): begin.*<JSFunction ([^<]*)<([^>]*)>/g)]
    .filter(([, , , file]) => file.startsWith(lib))
    .map(([, reason, functionName, file]) => [reason, `${functionName}${path.relative(ROOT, file)}`])
}

main().catch((error) => {
  console.error(`bench: ${error.message}`)
  process.exitCode = 1
})
