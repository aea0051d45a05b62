'use strict'

// The app of a case: its store, filter and schema, and what it does with the parts. All of them see a file as both
// products give it: an async iterable with `peek`.

const { setImmediate: turn } = require('node:timers/promises')
const { collect } = require('../fuzz/form-sides')

const OF_THE_APP = 'OF_THE_APP' // code of its errors
const ODDLY = 'no error' // what it throws instead of one

const failure = (message) => Object.assign(new Error(message), { status: 422, code: OF_THE_APP })

const hexOf = (bytes) => Buffer.from(bytes).toString('hex')
const readHex = async (file) => hexOf(await collect(file))

/** @type {Record<string, (file: object) => unknown>} */
const stores = {
  read: readHex,
  async 'read late' (file) {
    await turn()
    return readHex(file)
  },
  'peek, read': async (file) => [hexOf(await file.peek(3)), await readHex(file)],
  peek: async (file) => hexOf(await file.peek(3)),
  nothing: () => 1,
  async 'one chunk' (file) {
    for await (const chunk of file) return chunk.length > 0 // eslint-disable-line no-unreachable-loop
  },
  fail () { throw failure('of the store') },
  async 'read, fail' (file) {
    await collect(file)
    throw failure('of the store')
  },
  'fail oddly': () => Promise.reject(ODDLY)
}

/** @type {Record<string, (part: object) => unknown>} what is seen of the content of a file */
const takers = {
  read: readHex,
  'peek, read': stores['peek, read'],
  skip: () => 'skipped',
  break: () => 'skipped'
}

const validate = {
  changes: (value) => ({ value: { ...value, checked: true } }),
  refuses: () => ({ issues: [{ message: 'refused', path: ['a'] }] }),
  throws () { throw new Error('of the schema') }
}

/** @type {Record<string, (head: Uint8Array) => unknown>} */
const detectors = {
  'by bytes': (head) => `a/b${head.length}`,
  'by bytes, later': async (head) => {
    await turn()
    return head[0] === 0x2D ? 'Image/PNG' : 'text/plain'
  },
  unknown: () => undefined,
  failing () { throw failure('of detect') }
}

const nameByLength = ({ field, type }) => `${field.length}-${type.length}`

/**
 * @param {import('./case').Case} drawn
 * @param {(directory: string, options?: object) => object} disk `multipart.disk`
 * @param {string} folder for files
 * @param {object[]} seen is told what the store and the filter are called with
 * @returns {object} options
 */
function optionsOf ({ options, store, detect, filter, schema }, disk, folder, seen) {
  const tell = (what, { field, name, folder, type }, { fields, signal }) => {
    seen.push({ what, field, name, folder, type, fields: structuredClone(fields), isAborted: signal.aborted })
  }
  const files = filter === 'none' || !options.files
    ? options.files
    : Object.fromEntries(Object.entries(options.files).map(([name, rule]) => [name, { ...rule, filter: ask }]))

  function ask (file, context) {
    tell('filter', file, context)
    const isNamed = file.name === 'n'
    const answer = () => {
      if (isNamed && filter.startsWith('failing')) throw failure('of the filter')
      return !isNamed
    }
    return filter.endsWith('later') ? turn().then(answer) : answer()
  }

  return {
    ...options,
    ...files !== undefined && { files },
    ...schema !== 'none' && { schema: { '~standard': { version: 1, vendor: 'fuzz', validate: validate[schema] } } },
    ...detect !== 'none' && { detect: detectors[detect] },
    ...store === 'stream' && { store },
    ...store === 'disk' && { store: disk(folder) },
    ...store === 'named' && { store: disk(folder, { filename: nameByLength }) },
    ...store in stores && {
      store (file, context) {
        tell('store', file, context)
        return stores[store](file)
      }
    }
  }
}

/** @returns {Promise<object[]>} what the app sees of the parts, or of streamed files; an error has those before it */
async function takeParts (parts, loop, seen) {
  for await (const part of parts) {
    const { field, name, folder, type, declaredType, headers, value, bytes } = part
    const isFile = name !== undefined
    const content = isFile ? null : hexOf(bytes)
    seen.push({ what: 'part', field, name, folder, type, declaredType, headers, value, bytes: content })
    if (isFile) seen.push({ what: 'content', ...await take(part, loop) })
    else if (loop === 'break') break
  }
}

/** Once a file is read, it has its digest. */
async function take (file, loop) {
  const content = await takers[loop](file)
  return content === 'skipped' ? { content } : { content, digest: file.digest }
}

module.exports = { ODDLY, OF_THE_APP, hexOf, optionsOf, takeParts }
