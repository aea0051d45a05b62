'use strict'

const { Readable } = require('node:stream')
const { pipeline } = require('node:stream/promises')
const { pathToFileURL } = require('node:url')

let modules

function load () {
  const from = (name) => import(pathToFileURL(require.resolve(name)).href) // ES modules only
  return Promise.all([from('stream-json'), from('stream-json/assembler.js')])
}

async function parse (source) {
  modules ??= load()
  const [{ parser }, { default: Assembler }] = await modules
  const tokens = parser.asStream({ streamValues: false }) // whole strings and numbers, not pieces of them
  const assembler = Assembler.connectTo(tokens)
  await pipeline(source instanceof Readable ? source : Readable.from(source, { objectMode: false }), tokens)
  return assembler.current
}

module.exports = { name: 'stream-json', package: 'stream-json', parse }
