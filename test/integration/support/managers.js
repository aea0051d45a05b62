'use strict'

// npm, pnpm, Yarn and Bun, each in a version of its own, with a registry that has the packages of this repository as
// well, and with caches that are removed in the end.

const fs = require('node:fs')
const path = require('node:path')
const startRegistry = require('./registry')
const { INSTALL_TIME, createFolder, pack, remove, run, write } = require('./project')
const manifest = require('../../../package.json')
const manifestOfMulter = require('../../../multer/package.json')

/** Version -> its command, and its arguments: to install, to install what the lock file says, to run a package. */
const MANAGERS = {
  'npm@9': npm(),
  'npm@10': npm(),
  'npm@11': npm(),
  'pnpm@10': pnpm(),
  'pnpm@12': pnpm(),
  'yarn@1': yarn(['install'], ['--frozen-lockfile'], ['run', '--silent']),
  '@yarnpkg/cli-dist@4': {
    ...yarn(['install', '--no-immutable'], ['--immutable'], ['run']),
    files: { 'yarn.lock': '' } // the root of a project
  },
  'bun@1': {
    bin: 'bun', install: ['install'], ci: ['install', '--frozen-lockfile'], exec: ['x'], lock: 'bun.lock'
  }
}

function npm () {
  return { bin: 'npm', install: ['install'], ci: ['ci'], exec: ['exec', '--'], lock: 'package-lock.json' }
}

function pnpm () {
  const [install, ci] = ['--no-frozen-lockfile', '--frozen-lockfile'].map((flag) => ['install', flag])
  return { bin: 'pnpm', install, ci, exec: ['dlx', '--silent'], lock: 'pnpm-lock.yaml' }
}

function yarn (install, isLocked, exec) {
  return { bin: 'yarn', install, ci: ['install', ...isLocked], exec, lock: 'yarn.lock' }
}

async function startManagers () {
  const folders = []
  const home = newFolder()
  const [tarball, multerTarball] = [await pack(home), await pack(home, 'multer')]
  const registry = await startRegistry([{ manifest, tarball }, { manifest: manifestOfMulter, tarball: multerTarball }])
  const env = environmentOf(home, registry.url)
  return { tarball, multerTarball, close, createApplication, installManager, newFolder }

  function newFolder () {
    const folder = createFolder()
    folders.push(folder)
    return folder
  }

  function close () {
    registry.close()
    folders.forEach(remove)
  }

  /** @returns {Promise<string>} its command */
  async function installManager (spec) {
    const folder = newFolder()
    write(folder, { 'package.json': { private: true } })
    await run('npm', ['install', spec], { cwd: folder, env, timeout: INSTALL_TIME })
    return path.join(folder, 'node_modules', '.bin', MANAGERS[spec].bin)
  }

  /** A project that uses the registry, and a program that prints JSON. */
  function createApplication (dependencies, program, files = {}) {
    const folder = newFolder()
    const manifest = { name: 'application', private: true, dependencies }
    write(folder, { '.npmrc': `registry=${registry.url}\n`, 'package.json': manifest, 'program.js': program, ...files })
    const call = (command, ...args) => run(command, args, { cwd: folder, env, timeout: INSTALL_TIME })
    return {
      folder,
      call,
      follow: ({ 'package.json': { dependencies: added, ...others } = {}, ...files }) =>
        write(folder, {
          ...files,
          'package.json': { ...manifest, dependencies: { ...dependencies, ...added }, ...others }
        }),
      read: (name) => fs.readFileSync(path.join(folder, name), 'utf8'),
      output: async () => JSON.parse((await call(process.execPath, 'program.js')).stdout),
      remove: (name) => fs.rmSync(path.join(folder, name), { recursive: true, force: true })
    }
  }
}

/** Without what differs from machine to machine. */
function environmentOf (home, url) {
  const { npm_config_local_prefix: _, ...inherited } = process.env // the folder that an outer `npm run` works in
  return {
    ...inherited,
    npm_config_audit: 'false',
    npm_config_cache: path.join(home, 'npm'),
    npm_config_fund: 'false',
    npm_config_loglevel: 'error',
    npm_config_prefer_offline: 'true',
    XDG_CACHE_HOME: home, // of pnpm and Yarn 1
    XDG_DATA_HOME: home,
    XDG_STATE_HOME: home,
    YARN_ENABLE_TELEMETRY: '0',
    YARN_GLOBAL_FOLDER: path.join(home, 'yarn'),
    YARN_NODE_LINKER: 'node-modules',
    YARN_NPM_REGISTRY_SERVER: url,
    YARN_UNSAFE_HTTP_WHITELIST: '127.0.0.1'
  }
}

module.exports = { MANAGERS, startManagers }
