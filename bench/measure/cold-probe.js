'use strict'

// A fresh process: how long loading a module and making its parser takes.

const { fileURLToPath } = require('node:url')

const [, , id, makes] = process.argv

const start = process.hrtime.bigint()
const loaded = require(id)
const parser = makes === 'true' ? (loaded.json ?? loaded)() : loaded
const time = Number(process.hrtime.bigint() - start) / 1e6

if (makes === 'true' && typeof parser !== 'function') throw new Error(`${id} made no parser`)
countModules().then((modules) => console.log(JSON.stringify({ time, modules })))

/** Modules in the cache of require(), and ES modules that V8 has; without this file. */
async function countModules () {
  const files = new Set(Object.keys(require.cache))
  const { Session } = require('node:inspector/promises')
  const session = new Session()
  session.connect()
  session.on('Debugger.scriptParsed', ({ params: { url } }) => {
    if (url.startsWith('file:')) files.add(fileURLToPath(url))
  })
  await session.post('Debugger.enable')
  session.disconnect()
  files.delete(__filename)
  return files.size
}
