'use strict'

// What an app sees of a form: by the middleware, or by /web.

const { createHash } = require('node:crypto')
const fs = require('node:fs')
const { setImmediate: turn } = require('node:timers/promises')
const { collect, inFolder, sides } = require('../fuzz/form-sides')

const LEFT = 'of the app'

/** @returns {string} the type of a file by its first byte */
const typeOf = (head) => `test/x${head[0] ?? ''}`

const DETECTORS = {
  'by content': typeOf,
  'by content, later': async (head) => {
    await turn()
    return typeOf(head)
  },
  unknown: () => undefined
}

/** What each act reads of a file: all of it, or its beginning. */
const ACTS = {
  read: async (file) => ({ all: await collect(file) }),
  async 'read late' (file) {
    await turn()
    return ACTS.read(file)
  },
  async 'peek, read' (file) {
    const beginning = await file.peek(5)
    return { beginning, ...await ACTS.read(file) }
  },
  async part (file) {
    for await (const beginning of file) return { beginning } // eslint-disable-line no-unreachable-loop
  },
  peek: async (file) => ({ beginning: await file.peek(5) }),
  nothing: () => ({})
}

/** Of the files in a loop, each told to `seen` once it is read. */
async function readFiles (files, { acts, end, most }, seen) {
  if (end === 'nothing') return
  for await (const file of files) {
    const { field, name, type, declaredType } = file
    const told = { field, name, type, declaredType }
    if (end === 'throw' && seen.files.length === most) throw new Error(LEFT)
    if (end === 'leave' && seen.files.length === most) return
    seen.files.push(told)
    Object.assign(told, await ACTS[acts[seen.files.length - 1]](file))
    if (told.all !== undefined) told.digest = file.digest
  }
  seen.isWhole = true
}

/** @param {import('./case').Case} drawn */
module.exports = async function observe (drawn) {
  const seen = { fields: null, files: [], isWhole: false, error: null }
  const { hangs, left } = await inFolder((folder) => run(drawn, folder, seen))
  return Object.assign(seen, { hangs, left })
}

async function run (drawn, folder, seen) {
  const { multipart, read, requestOf } = sides[drawn.side]
  try {
    const parser = multipart(optionsOf(drawn, multipart, folder))
    const { fields, files, end } = await read(parser, requestOf(headersOf(drawn), bodyOf(drawn)))
    seen.fields = fields
    if (drawn.store === 'stream') await readFiles(files, drawn, seen)
    else takeFiles(files, seen)
    await end()
  } catch (error) {
    seen.error = error
  }
}

/** Those that are stored. */
function takeFiles (files, seen) {
  for (const { field, name, type, declaredType, digest, bytes, path } of Object.values(files).flat()) {
    const all = Buffer.from(bytes ?? fs.readFileSync(path))
    seen.files.push({ field, name, type, declaredType, digest, all })
  }
  seen.isWhole = true
}

function optionsOf ({ options: { detect, digest, contentDigest }, store }, { disk }, folder) {
  return {
    files: { '*': { max: 10 } },
    store: store === 'disk' ? disk(folder) : store,
    ...detect !== 'none' && { detect: DETECTORS[detect] },
    ...digest !== 'none' && { digest },
    ...contentDigest !== 'none' && { contentDigest }
  }
}

function headersOf ({ boundary, coding, content, options: { contentDigest } }) {
  return {
    'content-type': `multipart/form-data; boundary="${boundary}"`,
    'transfer-encoding': 'chunked',
    ...coding !== 'identity' && { 'content-encoding': coding },
    ...contentDigest !== 'none' && {
      'content-digest': `sha-256=:${createHash('sha256').update(content).digest('base64')}:`
    }
  }
}

async function * bodyOf ({ fault, pieces }) {
  for (const piece of pieces) {
    yield piece
    if (piece.length % 7 === 0) await turn()
  }
  if (fault === 'cut') throw Object.assign(new Error('aborted'), { code: 'ECONNRESET' })
}

module.exports.LEFT = LEFT
module.exports.typeOf = typeOf
