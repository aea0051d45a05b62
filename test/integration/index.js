'use strict'

// npm run test:integration: installs what the integration tests use, and runs them.

const { spawnSync } = require('node:child_process')
const fs = require('node:fs')
const path = require('node:path')
const { MOCHA } = require('../../tools/test-suite')

const ROOT = path.join(__dirname, '../..')
const QUIET = ['--no-audit', '--no-fund', '--loglevel=error']
const PARALLEL = ['--parallel', '--jobs', '3']
const ROOMS = ['bundlers', 'clients', 'engines', 'first-steps', 'frameworks', 'observers', 'types', 'web']
// npm would follow peers that are optional, from a wrapper of Lambda to Next.js: a room has those that it needs itself.
const ONLY_ROOMS = ['--include-workspace-root', '--legacy-peer-deps', '--no-save']
const WITH_BINARIES = ['bun', 'deno', 'esbuild'] // packages whose scripts lay their program where it is looked for

const OF_MOCHA = ['--grep', '--ignore', '--timeout', '--reporter']

const USAGE = `npm run test:integration -- [room]... [options of mocha]

Tests with frameworks, clients, bundlers and other packages that use this one.
npm installs them first, in test/integration, which needs its registry: those
of all rooms, or of the rooms that are named.

Rooms: ${ROOMS.join(', ')}; and tools, the tests of
bench/, perf/, reliability/ and tools/, which does not run unless it is named.

  --install-only   installs, and runs nothing
  --installed      runs, and installs nothing

Options of mocha: ${OF_MOCHA.join(', ')}, each with its value behind "="; and --bail
Exit status: 0, 1 if a test fails, 2 for a wrong room or option.
`

/** Runs a command to its end; ends this process with its status if it fails. */
function run (command, args) {
  const { status, error } = spawnSync(command, args, {
    cwd: ROOT,
    stdio: 'inherit',
    shell: process.platform === 'win32'
  })
  if (error !== undefined) throw error
  if (status !== 0) process.exit(status ?? 1)
}

/** `tools` is no folder of test/integration. */
const hasPackages = (room) => room !== 'tools'

function install (rooms) {
  if (rooms.includes('tools')) {
    for (const folder of ['bench', 'test/tools']) run('npm', ['install', '--prefix', folder, ...QUIET])
  }
  const chosen = rooms.filter(hasPackages)
  if (chosen.length === 0) return
  const only = chosen.length < ROOMS.length ? [...ONLY_ROOMS, ...chosen.map((room) => `--workspace=${room}`)] : []
  run('npm', ['install', '--prefix', 'test/integration', '--ignore-scripts', ...QUIET, ...only])
  const binaries = WITH_BINARIES.filter((name) => fs.existsSync(path.join(__dirname, 'node_modules', name)))
  if (binaries.length > 0) run('npm', ['rebuild', '--prefix', 'test/integration', '--loglevel=error', ...binaries])
}

function test (rooms, args) {
  if (rooms.includes('tools')) run(process.execPath, [MOCHA, 'test/tools/*/*.js', ...args])
  const others = rooms.filter(hasPackages).map((room) => `test/integration/${room}/*.js`)
  if (others.length > 0) {
    run(process.execPath, [MOCHA, '--no-config', ...PARALLEL, '--timeout', '20000', ...others, ...args])
  }
}

const args = process.argv.slice(2)
const isOwn = (arg) => arg === '--install-only' || arg === '--installed'
const isOfMocha = (arg) => arg === '--bail' || OF_MOCHA.some((name) => arg.startsWith(`${name}=`))
const asked = args.filter((arg) => arg === 'tools' || ROOMS.includes(arg))
const rooms = asked.length > 0 ? asked : ROOMS
const unknown = args.filter((arg) => !asked.includes(arg) && !isOwn(arg) && !isOfMocha(arg))
if (args.includes('--help') || args.includes('-h')) {
  console.log(USAGE)
} else if (unknown.length > 0) {
  const all = ROOMS.join(', ')
  console.error(`error: unknown ${unknown.join(', ')}; rooms are ${all} and tools, and --help lists the options`)
  process.exitCode = 2
} else {
  if (!args.includes('--installed')) install(rooms)
  if (!args.includes('--install-only')) test(rooms, args.filter((arg) => !isOwn(arg) && !asked.includes(arg)))
}
