'use strict'

// Installs by the package manager of a project, and makes npm forget what it would keep.

const { spawnSync } = require('node:child_process')
const fs = require('node:fs')
const path = require('node:path')

/** In CI, pnpm and Yarn refuse to change a lock file unless they are told to. */
const ARGUMENTS = {
  pnpm: () => ['install', '--no-frozen-lockfile'],
  yarn: (major) => major === 1 ? ['install'] : ['install', '--no-immutable']
}
const LOCKS = ['package-lock.json', 'npm-shrinkwrap.json', 'node_modules/.package-lock.json']

/**
 * @param {import('../project').Project} project
 * @throws {Error} if it fails
 */
function install ({ root, manager: { name, major } }) {
  const args = ARGUMENTS[name]?.(major) ?? ['install']
  // What it prints goes to stderr, so that stdout has the report alone.
  const options = { cwd: root, stdio: ['ignore', 2, 2], shell: process.platform === 'win32' }
  const { error, status } = spawnSync(name, args, options)
  if (error !== undefined) throw new Error(`${name} cannot be started (${error.code})`)
  if (status !== 0) throw new Error(`\`${[name, ...args].join(' ')}\` failed`)
}

/**
 * npm keeps a package whose version fits, whatever its name is: it would keep body-parser below an Express that it has
 * installed, and this package after its alias is gone. So the package is removed, from the lock file as well.
 *
 * @param {string} root
 * @param {string[]} places such as node_modules/body-parser
 */
function forget (root, places) {
  for (const place of places) fs.rmSync(path.join(root, place), { recursive: true, force: true })
  for (const lock of LOCKS.map((name) => path.join(root, name)).filter((file) => fs.existsSync(file))) {
    const text = fs.readFileSync(lock, 'utf8')
    const content = JSON.parse(text)
    for (const place of places) delete content.packages?.[place]
    fs.writeFileSync(lock, JSON.stringify(content, null, /^[ \t]+/m.exec(text)?.[0] ?? 2) + '\n')
  }
}

/**
 * Yarn 1 gives `body-parser@^2.2.0` what stands for it in its lock file, and after a resolution that is this package.
 *
 * @param {string} root
 * @param {string[]} names body-parser, multer
 */
function forgetResolutions (root, names) {
  const file = path.join(root, 'yarn.lock')
  const text = fs.existsSync(file) ? fs.readFileSync(file, 'utf8') : ''
  if (!text.includes('yarn lockfile v1')) return
  const isOurs = (entry) => names.some((name) => entry.replace(/^"/, '').startsWith(`${name}@`)) &&
    /\bfast-(?:body-parser|multer)\b/.test(entry)
  const entries = text.split(/\n(?=\S)/)
  fs.writeFileSync(file, entries.filter((entry) => !isOurs(entry)).join('\n'))
}

module.exports = { forget, forgetResolutions, install }
