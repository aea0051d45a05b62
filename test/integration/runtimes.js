'use strict'

// npm run test:runtimes: the whole suite under other Nodes, and what of it is
// public behaviour under Bun and Deno. npm installs them in temporary folders.
// Prints a line for each file under Bun and Deno, a table, and all that fails.
// Names of runtimes as arguments: only these.
//
// A test that fails under a Node fails the run. Under Bun and Deno many must, as
// they hold messages of V8 or the internals of Node's streams; they are counted.

const { execFile, execFileSync, spawn } = require('node:child_process')
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
const OF_ENGINES = ['core/coding', 'formats/json', 'json-keys', 'json-slices'] // folders that ask what V8 and zlib do
const INSTALL_TIME = 300_000 // ms
const FILE_TIME = 120_000 // ms, of one file of tests under Bun or Deno
const SUITE_TIME = 600_000 // ms

const RUNTIMES = {
  'node@20': { package: 'node@20', bin: 'node', args: [], whole: true },
  'node@22': { package: 'node@22', bin: 'node', args: [], whole: true },
  'node@24': { package: 'node@24', bin: 'node', args: [], whole: true },
  'node@26': { package: 'node@26', bin: 'node', args: [], whole: true },
  // The oldest of each line that `engines` admits. mocha 12 needs a newer one than two of them.
  'node@20.0.0': { package: 'node@20.0.0', bin: 'node', args: [], whole: true, mocha: 'mocha@11' },
  'node@22.0.0': { package: 'node@22.0.0', bin: 'node', args: [], whole: true, mocha: 'mocha@11' },
  'node@24.0.0': { package: 'node@24.0.0', bin: 'node', args: [], whole: true },
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

/** The folder of tests of a file of lib/: as deep as there is one of the same name. */
function folderOf (file) {
  let folder = path.dirname(file).replace(/^lib/, 'test')
  while (!fs.existsSync(path.join(ROOT, folder))) folder = path.dirname(folder)
  return folder
}

/** The tests of the folders of lib/ that have changed since a commit, and those that ask what V8 and zlib do. */
function testsSince (commit) {
  const args = ['diff', '--name-only', commit, '--', 'lib']
  const touched = execFileSync('git', args, { cwd: ROOT, encoding: 'utf8' }).split('\n')
    .filter((name) => name.endsWith('.js')).map(folderOf).filter(isInSuite)
  const folders = [...new Set([...OF_ENGINES.map((name) => `test/${name}`), 'test/parsers', ...touched])]
  const isWithin = (folder) => folders.some((other) => folder.startsWith(`${other}/`))
  const options = SUITE.filter((arg) => !arg.startsWith('test/'))
  return [...options, 'test/*.js', ...folders.filter((folder) => !isWithin(folder))]
}

const isInSuite = (folder) => SUITE.some((arg) => folder === arg || folder.startsWith(`${arg}/`))

async function versionOf (bin) {
  const { stdout } = await promisify(execFile)(bin, ['--version'])
  return stdout.split('\n')[0].replace(/^deno | \(.*$|^v/g, '')
}

async function main (names, since) {
  const rows = []
  const installations = names.map((name) => installQuietly(RUNTIMES[name])) // the second while the first is tested
  for (const [i, name] of names.entries()) {
    let place
    try {
      const find = await installations[i]
      place = find()
      const version = await versionOf(place.bin)
      const started = performance.now()
      const tests = since === undefined ? SUITE : testsSince(since)
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
    const suite = RUNTIMES[name].whole ? since === undefined ? 'all' : 'touched' : 'public'
    console.log(`| ${name} | ${version} | ${suite} | ${passes} | ${failures.length} | ${pending} | ${seconds} |`)
  }
  if (rows.some(({ name, failures }) => RUNTIMES[name].whole && failures.length > 0)) process.exitCode = 1
}

const USAGE = `npm run test:runtimes -- [--since=COMMIT] [runtime]...

Runs the suite under other versions of Node.js, and what of it is public
behaviour under Bun and Deno. npm installs each in a temporary folder, which
needs its registry. Without a name: all of them, which takes an hour.

Each Node.js takes two to four minutes. Bun and Deno take ten to twenty, as
they run file by file, and print a line for each.

With --since, of Nodes only the tests of the folders of lib/ that have changed
since that commit, of the four parsers, and of what V8 and zlib do
(${OF_ENGINES.join(', ')}).

Runtimes: ${Object.keys(RUNTIMES).join(', ')}
Exit status: 0, 1 if a test fails under a Node.js, 2 for wrong arguments.`

const args = process.argv.slice(2)
const [since] = args.flatMap((arg) => /^--since=(.+)/.exec(arg)?.[1] ?? [])
const names = args.filter((arg) => arg !== `--since=${since}`)
const unknown = names.filter((name) => !Object.hasOwn(RUNTIMES, name))
if (names.includes('--help') || names.includes('-h')) {
  console.log(USAGE)
} else if (unknown.length > 0) {
  console.error(`unknown runtime ${unknown.join(', ')}; there are ${Object.keys(RUNTIMES).join(', ')}`)
  process.exitCode = 2
} else {
  main(names.length > 0 ? names : Object.keys(RUNTIMES), since)
}
