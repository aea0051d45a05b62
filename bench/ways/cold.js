'use strict'

// How long loading a module and making its parser takes, in a fresh process.

const { fileURLToPath } = require('node:url')

const modules = {
  ours: '../..',
  'ours, json alone': '../../lib/types/json',
  'body-parser': 'body-parser',
  'body-parser, json alone': 'body-parser/lib/types/json',
  'body-parser 1': 'body-parser-1',
  milliparsec: 'milliparsec'
}

exports.names = Object.keys(modules)

/** @returns {Promise<{ ms: number, modules: number }>} and how many modules are loaded */
exports.measure = async (row, way) => {
  const start = performance.now()
  const loaded = require(modules[way])
  const parser = (loaded.json ?? loaded)()
  const ms = performance.now() - start
  if (typeof parser !== 'function') throw new Error(`${way} made no parser`)
  return { ms, modules: await countModules() }
}

/** Modules in the cache of require(), and ES modules that V8 has; without those of bench/. */
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
  return files.size - 2 // this one, and the worker
}
