'use strict'

// What an app sees of a case: by the middleware, and by /web.

const fs = require('node:fs')
const path = require('node:path')
const { inFolder, sides } = require('../fuzz/form-sides')
const { hexOf, optionsOf, takeParts } = require('./app')

/**
 * @param {import('./case').Case} drawn
 * @returns {Promise<{ seen: object, expected: object }>} by /web, and by the middleware
 */
module.exports = async function observe (drawn) {
  const outcomeOf = (side) => inFolder((folder) => run(side, drawn, folder))
  const [seen, expected] = await Promise.all([outcomeOf(sides.web), outcomeOf(sides.middleware)])
  return { seen, expected }
}

async function run ({ multipart, partsOf, read, requestOf }, drawn, folder) {
  const [asked, taken] = [[], []] // of the filter and the store, and by the loop, which may be behind them
  let parser
  try {
    parser = multipart(optionsOf(drawn, multipart.disk, folder, asked))
  } catch (error) {
    return { created: error.message }
  }
  const request = () => requestOf(drawn.headers, drawn.pieces)
  const result = await attempt(async () => {
    if (drawn.loop !== null) return takeParts(partsOf(parser, request()), drawn.loop, taken)
    const { fields, files, end } = await read(parser, request())
    if (Symbol.asyncIterator in files) await takeParts(files, 'read', taken)
    const isStored = drawn.store !== 'stream' // else a request that is no form has no loop on /web
    const form = { fields: plain(fields, folder), ...isStored && { files: plain(files, folder) } }
    await end()
    return form
  })
  return { asked, taken, ...result }
}

async function attempt (act) {
  try {
    return await act()
  } catch (error) {
    return { error: errorOf(error) }
  }
}

/** All that an app can see of it, but for the stack. */
function errorOf (error) {
  if (!(error instanceof Error)) return { thrown: String(error) }
  const message = error.message.replace(/\/[\w./-]*fuzz-forms-\w+/g, '<folder>')
  const { expose, name, status } = error
  return { name, message, status, expose, ...fieldsOf(error) }
}

function fieldsOf (error) {
  const entries = Object.entries(error).filter(([name]) => name !== 'path') // that of a folder
  return Object.fromEntries(entries.map(([name, value]) => [name, value instanceof Error ? value.message : value]))
}

/** Bytes as text, files on the disk with their content, and prototypes that are null marked. */
function plain (value, folder) {
  if (ArrayBuffer.isView(value)) return hexOf(value)
  if (Object(value) !== value) return value
  if (Array.isArray(value)) return value.map((item) => plain(item, folder))
  const { keep, path: file, toFile, ...others } = value
  const entries = Object.entries(others).map(([name, item]) => [name, plain(item, folder)])
  const stored = typeof keep === 'function' && {
    content: fs.readFileSync(file, 'hex'),
    place: path.relative(folder, path.dirname(file))
  }
  const mark = Object.getPrototypeOf(value) === null && { '<null>': true }
  return Object.assign(Object.fromEntries(entries), stored, mark)
}
