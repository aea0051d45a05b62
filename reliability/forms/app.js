'use strict'

// The app of a case: its store, filter and schema, and what it does with parts and streamed files.

const { setImmediate: turn } = require('node:timers/promises')
const schemaOf = require('../../test/support/schema-of')

const OF_THE_APP = 'OF_THE_APP' // code of its errors
const ODDLY = 'no error' // what it throws instead of one

const failure = (message) => Object.assign(new Error(message), { status: 422, code: OF_THE_APP })

async function readAll (file) {
  const chunks = []
  for await (const chunk of file) chunks.push(chunk)
  return { all: Buffer.concat(chunks) }
}

/** What is read of a file: all of it, or its beginning. @type {Record<string, (file: object) => unknown>} */
const ACTS = {
  read: readAll,
  async 'read late' (file) {
    await turn()
    return readAll(file)
  },
  'peek, read': async (file) => ({ beginning: await file.peek(5), ...await readAll(file) }),
  peek: async (file) => ({ beginning: await file.peek(3) }),
  async part (file) {
    for await (const [byte] of file) return { beginning: Buffer.of(byte) } // eslint-disable-line no-unreachable-loop
    return {} // it is empty
  },
  nothing: () => ({})
}

/** What each does in the place of a store. */
const STORES = {
  ...ACTS,
  fail () { throw failure('of the store') },
  async 'read, fail' (file) {
    await readAll(file)
    throw failure('of the store')
  },
  'fail oddly': () => Promise.reject(ODDLY)
}

const VALIDATE = {
  changes: (value) => ({ value: { ...value, checked: true } }),
  refuses: () => ({ issues: [{ message: 'refused', path: ['a'] }] }),
  throws () { throw new Error('of the schema') }
}

/** The type of a file by its first byte. */
const typeOf = (head) => `test/x${head[0] ?? ''}`

/** @type {Record<string, (head: Uint8Array) => unknown>} */
const DETECTORS = {
  'by content': typeOf,
  async 'by content, later' (head) {
    await turn()
    return typeOf(head)
  },
  unknown: () => undefined,
  failing () { throw failure('of detect') }
}

/**
 * @param {import('./sent').Case} drawn
 * @param {(directory: string, options?: object) => object} disk `multipart.disk`
 * @param {string} folder for files
 * @param {object[]} asked is told what the store and the filter are called with
 * @returns {object} options of `multipart()`
 */
function optionsOf ({ options, store, detect, filter, schema }, disk, folder, asked) {
  const tell = (what, { field, name, folder, type }, { fields, signal }) => {
    asked.push({ what, field, name, folder, type, fields: structuredClone(fields), isAborted: signal.aborted })
  }
  const answer = async (file) => {
    if (filter.endsWith('later')) await turn()
    if (file.name === 'n' && filter.startsWith('failing')) throw failure('of the filter')
    return file.name !== 'n'
  }
  const ask = (file, context) => {
    tell('filter', file, context)
    return answer(file)
  }
  const act = (file, context) => {
    tell('store', file, context)
    return STORES[store](file)
  }
  const stores = {
    disk: disk(folder),
    memory: 'memory',
    named: disk(folder, { filename: ({ field, type }) => `${field.length}-${type.length}` }),
    stream: 'stream'
  }
  const rules = Object.entries(options.files ?? {}).map(([name, rule]) => [name, { ...rule, filter: ask }])
  return {
    ...options,
    ...filter !== 'none' && options.files && { files: Object.fromEntries(rules) },
    ...schema !== 'none' && { schema: schemaOf(VALIDATE[schema]) },
    ...detect !== 'none' && { detect: DETECTORS[detect] },
    store: stores[store] ?? act
  }
}

/**
 * @param {AsyncIterable<object>} parts parts, or files that are streamed
 * @param {import('./sent').Case} drawn
 * @param {object[]} taken is told what the app sees of them
 * @returns {Promise<boolean>} whether it has come to their end
 */
async function takeParts (parts, { acts, end, most }, taken) {
  let count = 0
  if (end === 'nothing') return false
  for await (const part of parts) {
    if (end !== 'all' && count === most) {
      if (end === 'throw') throw failure('of the loop')
      return false
    }
    const { field, name, folder, type, declaredType, headers, value, bytes } = part
    taken.push({ what: 'part', field, name, folder, type, declaredType, headers, value, bytes })
    if (name === undefined) continue
    const content = await ACTS[acts[count++ % acts.length]](part)
    taken.push({ what: 'content', ...content, digest: content.all && part.digest }) // which it has once it is read
  }
  return true
}

module.exports = {
  ACTS: Object.keys(ACTS),
  STORES: Object.keys(STORES),
  ODDLY,
  OF_THE_APP,
  optionsOf,
  takeParts,
  typeOf
}
