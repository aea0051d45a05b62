'use strict'

// npm's registry, and two packages more: those of this repository, as they would be published.

const { createHash } = require('node:crypto')
const { once } = require('node:events')
const fs = require('node:fs')
const http = require('node:http')
const { Readable } = require('node:stream')
const { pipeline } = require('node:stream/promises')
const { ROOT, run } = require('./project')

/** The registry that npm is set up with. */
async function configured () {
  const { stdout } = await run('npm', ['config', 'get', 'registry', '--loglevel=error'], { cwd: ROOT })
  return stdout.trim().replace(/\/?$/, '/')
}

/**
 * @param {{ manifest: object, tarball: string }[]} packages with the files that `npm pack` wrote
 * @returns {Promise<{ url: string, close: () => void }>} on the loopback interface
 */
async function startRegistry (packages) {
  const upstream = await configured()
  const own = new Map(packages.map(({ manifest, tarball }) => {
    return [manifest.name, { manifest, bytes: fs.readFileSync(tarball) }]
  }))
  const server = http.createServer((req, res) => {
    const name = decodeURIComponent(req.url.slice(1))
    const wanted = own.get(name.replace(/\.tgz$/, ''))
    if (wanted === undefined) forward(req, res).catch(() => res.destroy())
    else if (name.endsWith('.tgz')) res.end(wanted.bytes)
    else res.setHeader('content-type', 'application/json').end(JSON.stringify(documentOf(wanted)))
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const url = `http://127.0.0.1:${server.address().port}/`
  return {
    url,
    close () {
      server.close()
      server.closeAllConnections()
    }
  }

  /** What a registry tells of a package that was published once. */
  function documentOf ({ manifest, bytes }) {
    const { name, version } = manifest
    const integrity = `sha512-${createHash('sha512').update(bytes).digest('base64')}`
    const shasum = createHash('sha1').update(bytes).digest('hex')
    const dist = { tarball: `${url}${name}.tgz`, integrity, shasum }
    return {
      name,
      'dist-tags': { latest: version },
      versions: { [version]: { ...manifest, dist } },
      time: { [version]: new Date(0).toISOString() }
    }
  }

  async function forward (req, res) {
    const { accept = '*/*' } = req.headers
    const response = await fetch(new URL(req.url.slice(1), upstream), { method: req.method, headers: { accept } })
    res.writeHead(response.status, {
      'content-type': response.headers.get('content-type') ?? 'application/octet-stream'
    })
    if (response.body === null) res.end()
    else await pipeline(Readable.fromWeb(response.body), res)
  }
}

module.exports = startRegistry
