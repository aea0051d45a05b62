'use strict'

// Makes package managers forget what they would keep, and remember it if the change fails.

const fs = require('node:fs')
const path = require('node:path')
const { isObject, readManifest } = require('../packages')

const LOCKS = ['package-lock.json', 'npm-shrinkwrap.json', 'node_modules/.package-lock.json']

/**
 * npm and pnpm keep a package whose version fits, whatever its name is: npm would keep body-parser below an Express
 * that it has installed, and both this package after its alias is gone. Yarn 1 gives `body-parser@^2.2.0` what stands
 * for it in its lock file, and after a resolution that is this package. So npm's folder goes, and the entry in the
 * lock file of each.
 *
 * @param {import('../project').Project} project
 * @returns {{ forget: (uses: object[]) => boolean, remember: () => void, close: () => void }} `forget` tells whether
 *   anything was forgotten; `close` removes the folders, which `remember` puts back
 */
function startForgetting ({ root, manager: { name, major } }) {
  const moved = []
  const forgetters = {
    npm: (uses) => forgetNpm(root, uses, moved),
    pnpm: (uses) => forgetEntries(root, 'pnpm-lock.yaml', /\n/, (line) => isOfPnpm(line, uses)),
    yarn: (uses) => forgetEntries(root, 'yarn.lock', /\n(?=\S)/, (entry) => major === 1 && isOfYarn(entry, uses))
  }
  return {
    forget: (uses) => uses.length > 0 && forgetters[name]?.(uses) === true,
    remember () {
      for (const [place, holding] of moved.reverse()) {
        fs.rmSync(place, { recursive: true, force: true })
        fs.mkdirSync(path.dirname(place), { recursive: true })
        fs.renameSync(path.join(holding, 'kept'), place)
        fs.rmSync(holding, { recursive: true, force: true })
      }
    },
    close () {
      for (const [place, holding] of moved) {
        removeLinks(place, path.join(holding, 'kept'))
        fs.rmSync(holding, { recursive: true, force: true })
      }
    }
  }
}

function forgetNpm (root, uses, moved) {
  const places = [...new Set(uses.map(({ got }) => got.place))].filter(isInstalled)
  for (const place of places.map((place) => path.join(root, place)).filter((place) => fs.existsSync(place))) {
    const holding = fs.mkdtempSync(path.join(root, 'node_modules', '.fast-body-parser-'))
    fs.renameSync(place, path.join(holding, 'kept'))
    moved.push([place, holding])
  }
  for (const lock of LOCKS.map((name) => path.join(root, name)).filter((file) => fs.existsSync(file))) {
    const text = fs.readFileSync(lock, 'utf8')
    const content = JSON.parse(text)
    for (const place of places) delete content.packages?.[place]
    fs.writeFileSync(lock, JSON.stringify(content, null, /^[ \t]+/m.exec(text)?.[0] ?? 2) + '\n')
  }
  return places.length > 0
}

/** A workspace of that name, and what `npm link` has linked, are somebody's work. */
const isInstalled = (place) => /^(?!\.\.\/)(?:.+\/)?node_modules\//.test(place) && !path.isAbsolute(place)

/** npm leaves the links to the programs of a package that it has forgotten. */
function removeLinks (place, kept) {
  const { bin = {} } = readManifest(kept) ?? {}
  for (const name of Object.keys(isObject(bin) ? bin : {})) {
    const link = path.join(place.slice(0, place.lastIndexOf('node_modules')), 'node_modules/.bin', path.basename(name))
    if (!fs.existsSync(link)) fs.rmSync(link, { force: true })
  }
}

function forgetEntries (root, name, separator, isForgotten) {
  const lock = path.join(root, name)
  if (!fs.existsSync(lock)) return false
  const entries = fs.readFileSync(lock, 'utf8').split(separator)
  const kept = entries.filter((entry) => !isForgotten(entry))
  if (kept.length < entries.length) fs.writeFileSync(lock, kept.join('\n'))
  return kept.length < entries.length
}

/** A package that gets another one under a name has a line such as `body-parser: name@version`. */
function isOfPnpm (line, uses) {
  const [, key, kept] = /^\s+['"]?([^\s'":]+)['"]?: ['"]?([^\s'"]+)@/.exec(line) ?? []
  return uses.some(({ parser, got }) => key === parser && kept === got.name)
}

function isOfYarn (entry, uses) {
  return /\bfast-(?:body-parser|multer)\b/.test(entry) &&
    uses.some(({ parser }) => entry.replace(/^"/, '').startsWith(`${parser}@`))
}

module.exports = startForgetting
