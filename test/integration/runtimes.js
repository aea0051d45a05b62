'use strict'

// npm run test:runtimes: the whole suite under other Nodes, and what of it is
// public behaviour under Bun and Deno. npm installs them in temporary folders.
// Prints a line for each file under Bun and Deno, a table, and all that fails.
// Names of runtimes as arguments: only these.
//
// A test that fails under a Node fails the run. Under Bun and Deno many must, as
// they hold messages of V8 or the internals of Node's streams; they are counted.

const { execFile, spawn } = require('node:child_process')
const fs = require('node:fs')
const os = require('node:os')
const path = require('node:path')
const { promisify } = require('node:util')
const { MOCHA, SUITE } = require('../../tools/test-suite')

const ROOT = path.join(__dirname, '../..')
const MOCHA_OF_OTHERS = path.join(__dirname, 'support/mocha.cjs')
const PUBLIC = [ // folders of tests that need public behaviour
  'answers', 'compat', 'core/coding', 'core/guards', 'core/source', 'docs', 'examples', 'formats', 'options',
  'package', 'parsers', 'records', 'uploads', 'web'
]
const ACROSS = ['compat', 'docs', 'examples', 'package', 'reliability'] // folders of tests of no room of lib/
const OF_ENGINES = ['core/coding', 'formats/json', 'json-keys', 'json-slices'] // rooms that ask what V8 and zlib do
const INSTALL_TIME = 300_000 // ms
const FILE_TIME = 120_000 // ms, of one file of tests under Bun or Deno
const SUITE_TIME = 600_000 // ms

/**
 * The oldest Node of each line that `engines` of package.json admits. mocha 12 needs a newer one than two of them. Its
 * rooms are those that tell most about a platform.
 */
const oldest = (version, rooms, mocha) => ({
  package: `node@${version}`, bin: 'node', args: [], whole: true, mocha, rooms
})
const OF_PLATFORM = ['web/*.js', 'web/forms', 'records/', 'core/body', 'core/guards', 'core/request', 'core/source',
  'uploads/form']

const RUNTIMES = {
  'node@20': { package: 'node@20', bin: 'node', args: [], whole: true },
  'node@22': { package: 'node@22', bin: 'node', args: [], whole: true },
  'node@24': { package: 'node@24', bin: 'node', args: [], whole: true },
  'node@26': { package: 'node@26', bin: 'node', args: [], whole: true },
  'node@20.0.0': oldest('20.0.0', OF_PLATFORM, 'mocha@11'),
  'node@22.0.0': oldest('22.0.0', ['web/*.js'], 'mocha@11'),
  'node@24.0.0': oldest('24.0.0', ['web/*.js']),
  bun: { package: 'bun', bin: 'bun', args: ['run'], whole: false },
  deno: { package: 'deno', bin: 'deno', args: ['run', '-A', '--quiet'], whole: false }
}

async function install (runtime) {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'runtime-'))
  fs.writeFileSync(path.join(folder, 'package.json'), '{"private":true}')
  const packages = runtime.mocha === undefined ? [runtime.package] : [runtime.package, runtime.mocha]
  const args = ['install', ...packages, '--no-audit', '--no-fund', '--loglevel=error', '--prefer-offline']
  await promisify(execFile)('npm', args, { cwd: folder, timeout: INSTALL_TIME })
  const own = path.join(folder, 'node_modules/mocha/bin/mocha.js')
  return {
    folder, bin: path.join(folder, 'node_modules/.bin', runtime.bin), mocha: runtime.mocha === undefined ? MOCHA : own
  }
}

/** @returns {Promise<() => object>} gives the place, or throws why there is none: not before it is asked */
function installQuietly (runtime) {
  return install(runtime).then((place) => () => place, (error) => () => { throw error })
}

/** Runs mocha; gives its report, or why there is none. */
async function mocha ({ folder, bin }, argsOf, timeout) {
  const output = path.join(folder, 'report.json')
  fs.rmSync(output, { force: true })
  const child = spawn(bin, argsOf(output), { cwd: ROOT, stdio: 'ignore', timeout, killSignal: 'SIGKILL' })
  const end = await new Promise((resolve) =>
    child.once('error', resolve).once('close', (code, signal) => resolve(signal ?? code)))
  return fs.existsSync(output) ? JSON.parse(fs.readFileSync(output, 'utf8')) : { end: String(end) }
}

function publicTests () {
  return PUBLIC.flatMap((folder) => fs.readdirSync(path.join(ROOT, 'test', folder), { recursive: true })
    .filter((name) => name.endsWith('.js') && !name.startsWith('support')).map((name) =>
      path.join('test', folder, name)))
}

async function suite (place, { args, whole }, tests) {
  const sum = { passes: 0, pending: 0, failures: [] }
  const add = (what, { end, stats, failures }) => {
    if (end !== undefined) return sum.failures.push(`${what} gave no report: ${end}`)
    sum.passes += stats.passes
    sum.pending += stats.pending
    sum.failures.push(...failures.map(({ fullTitle, err }) => `${fullTitle}: ${String(err.message).split('\n')[0]}`))
  }
  if (whole) {
    add('the suite',
      await mocha(place, (output) => [place.mocha, ...tests, '--reporter=json', `--reporter-option=output=${output}`],
        SUITE_TIME))
    return sum
  }
  const files = publicTests()
  for (const [index, file] of files.entries()) {
    const started = performance.now()
    const report = await mocha(place, (output) => [...args, MOCHA_OF_OTHERS, output, file], FILE_TIME)
    add(file, report)
    const { passes = 0, failures = 0 } = report.stats ?? {}
    const seconds = Math.round((performance.now() - started) / 1000)
    console.log(`${index + 1} of ${files.length}: ${file}, ${passes} passed, ${failures} failed, ${seconds} s`)
  }
  return sum
}

/** Folders in the folders of the suite, each on its own. */
const ROOMS = SUITE.filter((arg) =>
  arg.startsWith('test/') && !arg.endsWith('.js') && !ACROSS.includes(path.basename(arg)))
  .flatMap((area) => {
    const entries = fs.readdirSync(path.join(ROOT, area), { withFileTypes: true }).filter(({ name }) =>
      name !== 'support')
    const rooms = entries.filter((entry) => entry.isDirectory()).map(({ name }) => `${area}/${name}`)
    return entries.some((entry) => entry.isFile()) ? [...rooms, `${area}/*.js`] : rooms
  })

/** The rooms of one of several Nodes: its own, or else its share, and those that differ by engine. */
function roomsOf (name, names) {
  const { rooms: own } = RUNTIMES[name]
  if (own !== undefined) return ROOMS.filter((room) => own.some((start) => room.startsWith(`test/${start}`)))
  const sharing = names.filter((name) => RUNTIMES[name].rooms === undefined)
  const isOfEngines = (room) => OF_ENGINES.some((name) => room.startsWith(`test/${name}`))
  const others = ROOMS.filter((room) => !isOfEngines(room))
  const share = others.filter((_, i) => i % sharing.length === sharing.indexOf(name))
  return ['test/*.js', ...ROOMS.filter(isOfEngines), ...share]
}

/** The suite with these folders instead of its own. */
const withRooms = (rooms) => [...SUITE.filter((arg) => !arg.startsWith('test/')), ...rooms]

async function versionOf (bin) {
  const { stdout } = await promisify(execFile)(bin, ['--version'])
  return stdout.split('\n')[0].replace(/^deno | \(.*$|^v/g, '')
}

async function main (names, hasRooms) {
  const rows = []
  const installations = names.map((name) => installQuietly(RUNTIMES[name])) // the second while the first is tested
  for (const [i, name] of names.entries()) {
    let place
    try {
      const find = await installations[i]
      place = find()
      const version = await versionOf(place.bin)
      const started = performance.now()
      const tests = hasRooms ? withRooms(roomsOf(name, names)) : SUITE
      const sum = await suite(place, RUNTIMES[name], tests)
      rows.push({ name, version, ...sum, seconds: Math.round((performance.now() - started) / 1000) })
    } catch (error) {
      console.log(`${name} cannot be had here: ${(error.stderr || error.message).trim().split('\n')[0]}`)
      if (RUNTIMES[name].whole) process.exitCode = 1
    }
    if (place) fs.rmSync(place.folder, { recursive: true, force: true })
  }

  for (const { name, failures } of rows) {
    if (failures.length > 0) console.log(`\n${name}:\n  ${failures.join('\n  ')}`)
  }
  console.log('\n| runtime | version | tests | passed | failed | skipped | seconds |\n|---|---|---|---|---|---|---|')
  for (const { name, version, passes, failures, pending, seconds } of rows) {
    const suite = RUNTIMES[name].whole ? hasRooms ? 'rooms' : 'all' : 'public'
    console.log(`| ${name} | ${version} | ${suite} | ${passes} | ${failures.length} | ${pending} | ${seconds} |`)
  }
  if (rows.some(({ name, failures }) => RUNTIMES[name].whole && failures.length > 0)) process.exitCode = 1
}

const USAGE = `npm run test:runtimes -- [--rooms] [runtime]...

Runs the suite under other versions of Node.js, and what of it is public
behaviour under Bun and Deno. npm installs each in a temporary folder, which
needs its registry. Without a name: all of them, which takes an hour.

Each Node.js takes two to four minutes, and the oldest ones half a minute. Bun
and Deno take ten to twenty, as they run file by file, and print a line for each.

With --rooms, of Nodes only the tests of rooms of lib/: not those of the pages,
the package, the examples, the fuzzers and the packages beside this one. Each
room runs on one of the Nodes that are named, and those that ask what V8 and
zlib do (${OF_ENGINES.join(', ')}) on all of them.
The oldest Node of a line, such as node@20.0.0, has rooms of its own instead:
those that show most of what a platform lacks.

Runtimes: ${Object.keys(RUNTIMES).join(', ')}
Exit status: 0, 1 if a test fails under a Node.js, 2 for wrong arguments.`

const args = process.argv.slice(2)
const names = args.filter((arg) => arg !== '--rooms')
const unknown = names.filter((name) => !Object.hasOwn(RUNTIMES, name))
if (names.includes('--help') || names.includes('-h')) {
  console.log(USAGE)
} else if (unknown.length > 0) {
  console.error(`unknown runtime ${unknown.join(', ')}; there are ${Object.keys(RUNTIMES).join(', ')}`)
  process.exitCode = 2
} else {
  main(names.length > 0 ? names : Object.keys(RUNTIMES), args.includes('--rooms'))
}
