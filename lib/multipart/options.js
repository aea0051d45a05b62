'use strict'

// Reads and checks the options of `multipart`, once.

const { readBytes } = require('../core/options')
const { createNestedParse } = require('../form/nested')
const { describeForm } = require('../form/parse')
const stores = require('./stores')

const MEDIA_RANGE = /^[a-z0-9!#$&^_.+-]+\/(?:\*|[a-z0-9!#$&^_.+-]+)$/
const NEED_WHOLE_BODY = ['parse', 'rawBody', 'verify']
const MAX_HEADER = 1024 * 1024 // bytes, which are allocated at once

/**
 * @param {object} [options]
 * @returns {{ fields: { max: number, size: number }, files: Record<string, { max: number, size: number, accepts: (type: string) => boolean }>, parts: { max: number, header: number, name: number }, store: { open: Function }, nest: (fields: object, charset: string, count: number) => object, shown: object }}
 * @throws {TypeError} naming the option that is wrong
 */
module.exports = function readOptions (options) {
  for (const name of NEED_WHOLE_BODY) {
    if (options?.[name]) throw new TypeError(`option ${name} cannot be combined with multipart, which never has the whole body`)
  }
  const { depth, extended, store = 'memory' } = options ?? {}
  const { options: form } = describeForm({ depth, extended }, () => null)
  const limits = {
    fields: readGroup('fields', options?.fields, { max: 100, size: 102400 }),
    files: readFiles(options?.files ?? { '*': { max: 10 } }),
    parts: readGroup('parts', options?.parts, { max: 200, header: 16384, name: 200 })
  }
  return {
    ...limits,
    store: readStore(store),
    nest: form.extended ? createNestedParse(form) : (fields) => fields,
    shown: { ...limits, store, extended: form.extended, depth: form.depth }
  }
}

/** Name of a field -> rule; `*`: for all others together. */
function readFiles (files) {
  const rules = Object.entries(files === false ? {} : readObject('files', files)).map(([name, given]) => {
    const option = `files.${name}`
    const { types = ['*/*'], ...limits } = readObject(option, given)
    if (!Array.isArray(types) || !types.every((type) => type === '*/*' || MEDIA_RANGE.test(type))) {
      throw new TypeError(`option ${option}.types must be a list of media types in lower case, or of ranges such as image/*`)
    }
    const accepts = (type) => types.some((range) => type === range || range === '*/*' || (range.endsWith('/*') && type.startsWith(range.slice(0, -1))))
    return [name, { ...readGroup(option, limits, { max: 1, size: Infinity }), types, accepts }]
  })
  return Object.fromEntries(rules)
}

/** Limits, each of at least 0, and with its default. */
function readGroup (group, given, defaults) {
  const limits = readObject(group, given ?? {})
  for (const name of Object.keys(limits)) {
    if (!Object.hasOwn(defaults, name)) throw new TypeError(`option ${group} takes ${Object.keys(defaults).join(', ')}; not ${name}`)
  }
  return Object.fromEntries(Object.entries(defaults).map(([name, fallback]) => {
    const value = readBytes(`${group}.${name}`, limits[name], fallback)
    if (!(value >= 0) || (name === 'header' && value > MAX_HEADER)) throw new TypeError(`option ${group}.${name} "${value}" is invalid`)
    return [name, value]
  }))
}

function readObject (name, value) {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw new TypeError(`option ${name} must be an object`)
  return value
}

function readStore (store) {
  if (store === 'memory') return stores.memory
  if (store instanceof stores.DiskStore) return store
  if (typeof store === 'function') return stores.custom(store)
  throw new TypeError("option store must be 'memory', multipart.disk(directory) or a function")
}
