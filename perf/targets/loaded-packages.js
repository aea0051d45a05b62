'use strict'

// Runs in the server, on the Node.js of its target.

const fs = require('node:fs')
const path = require('node:path')

/**
 * The packages that this process has loaded from `node_modules` folders.
 *
 * @param {Record<string, unknown>} cache `require.cache`
 * @returns {{ name: string, package: string, version: string, path: string }[]}
 *   `name` is the name of its folder, `package` that in its package.json
 */
module.exports = function loadedPackages (cache) {
  const folders = new Map()
  for (const file of Object.keys(cache)) {
    const parts = file.split(path.sep)
    const at = parts.lastIndexOf('node_modules') + 1
    if (at === 0) continue
    const length = parts[at].startsWith('@') ? 2 : 1
    folders.set(parts.slice(0, at + length).join(path.sep), parts.slice(at, at + length).join('/'))
  }
  return [...folders].map(([folder, name]) => {
    const manifest = JSON.parse(fs.readFileSync(path.join(folder, 'package.json'), 'utf8'))
    return { name, package: manifest.name, version: manifest.version, path: folder }
  })
}
