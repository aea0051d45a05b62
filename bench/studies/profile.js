'use strict'

// Where the time of a row goes, and which functions V8 has to compile again:
// `node bench/studies/profile.js`, or with the name of a row, and --express.

const { execFileSync } = require('node:child_process')
const { Session } = require('node:inspector/promises')
const path = require('node:path')
const { fileURLToPath } = require('node:url')
const { runCommand } = require('../../tools/command-line')
const UserError = require('../../tools/user-error')
const ours = require('../competitors/ours')
const { createHandler } = require('../measure/handler')
const createLoop = require('../measure/loop')
const installPackages = require('../packages')
const rows = require('../rows')

const ROOT = path.join(__dirname, '../..')
const ROW = 'json 274 B, as a server feeds it'
const FULL = { warmUp: 200_000, profiled: 300_000 } // requests
const QUICK = { warmUp: 20_000, profiled: 20_000 }
const INTERVAL = 100 // us between two samples
const SHOWN = 15 // functions

async function main ({ express, warmOnly, quick }, name) {
  const row = rows.find((row) => row.name === name)
  if (row === undefined) throw new UserError(`no row is called "${name}"; npm run bench shows them`)
  installPackages()
  const draw = require('../../tools/text-table')
  const work = row.build()
  const loop = createLoop(work, await createHandler(ours, work), express)
  const { warmUp, profiled } = quick ? QUICK : FULL
  await loop(warmUp)
  if (warmOnly) return

  console.log(`Node ${process.version}, ${name}${express ? ", Express's requests" : ''}`)
  console.log(draw(['self time', '%', 'where'], selfTimes(await profile(loop, profiled)), { border: true }))
  const found = deoptimizations(name, { express, quick })
  console.log(draw(['deoptimized while warming', 'where'], found.length === 0 ? [['none', '']] : found, { border: true }))
}

async function profile (loop, count) {
  const session = new Session()
  session.connect()
  await session.post('Profiler.enable')
  await session.post('Profiler.setSamplingInterval', { interval: INTERVAL })
  await session.post('Profiler.start')
  await loop(count)
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
 * What `--trace-deopt` prints about lib/ in a fresh process. V8 deoptimizes a
 * function once or twice while it learns its types; more would be a fault.
 *
 * @returns {string[][]} reason, function and file
 */
function deoptimizations (name, switches) {
  const given = Object.keys(switches).filter((one) => switches[one]).map((one) => `--${one}`)
  const flags = ['--trace-deopt', '--trace-file-names', __filename, name, '--warm-only', ...given]
  const trace = execFileSync(process.execPath, flags, { encoding: 'utf8', maxBuffer: 2 ** 30 })
  const lib = path.join(ROOT, 'lib')
  return [...trace.matchAll(/reason: (.+?)\): begin.*<JSFunction ([^<]*)<([^>]*)>/g)]
    .filter(([, , , file]) => file.startsWith(lib))
    .map(([, reason, functionName, file]) => [reason, `${functionName}${path.relative(ROOT, file)}`])
}

runCommand({
  usage: `Where the time of a row goes.\n\n  node bench/studies/profile.js [ROW]    ROW: ${ROW}\n`,
  options: {
    express: { help: "requests with Express's prototype" },
    quick: { help: 'a first look' },
    'warm-only': { help: 'neither profile nor print' }
  },
  positionals: true,
  run: ({ values, positionals: [name = ROW] }) => main(values, name)
})
