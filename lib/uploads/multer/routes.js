'use strict'

// Which files a route takes, and where they go: `req.file` or `req.files`, by the method that made the route.

/**
 * @typedef {'none' | 'value' | 'array' | 'object'} Shape
 *
 * @typedef {object} Route
 * @property {Shape} shape of the results
 * @property {Map<string, number> | null} counts files of each field; null: any number of any field
 * @property {number} maxFiles of all fields
 *
 * @param {Shape} shape
 * @param {Array<{ name: string, maxCount?: number }> | null} fields null: any
 * @returns {Route}
 */
function createRoute (shape, fields) {
  if (fields === null) return { shape, counts: null, maxFiles: Infinity }
  const counts = new Map(fields.map(({ name, maxCount }) => [
    String(name),
    typeof maxCount === 'number' ? maxCount : Infinity
  ]))
  const maxFiles = [...counts.values()].reduce((sum, max) => sum + Math.max(0, max), 0)
  return { shape, counts, maxFiles }
}

/** The files of one request. Each has its place in `req.files` from its beginning. */
class RouteFiles {
  /** @param {Route} route */
  constructor (req, route) {
    const { counts, shape } = route
    this.req = req
    this.shape = shape
    this.remaining = counts === null ? null : new Map(counts) // files that may still come
    if (shape === 'array') req.files = []
    if (shape === 'object') req.files = Object.create(null)
  }

  /** Whether one more file of a field may come. */
  allows (name) {
    return this.remaining === null || this.remaining.get(name) > 0
  }

  take (name) {
    this.remaining?.set(name, this.remaining.get(name) - 1)
  }

  /** @returns {{ fieldname: string }} the slot of a file */
  reserve (fieldname) {
    const slot = { fieldname }
    if (this.shape === 'object') this.req.files[fieldname] ??= []
    this.listOf(fieldname)?.push(slot)
    return slot
  }

  put (slot, file) {
    if (this.shape === 'value') this.req.file = file
    this.replace(slot, file)
  }

  release (slot) {
    this.replace(slot)
  }

  /**
   * The app may have taken `req.files` away.
   *
   * @param {object} slot
   * @param {...object} files in the place of the slot: one, or none
   */
  replace (slot, ...files) {
    const { req, shape } = this
    const { fieldname } = slot
    const list = this.listOf(fieldname)
    const at = list?.lastIndexOf(slot) ?? -1 // from the end, as a form may have many files
    if (at !== -1) list.splice(at, 1, ...files)
    if (shape === 'object' && list?.length === 0) delete req.files[fieldname]
  }

  /** Of the files of a field; undefined if the route has none. */
  listOf (fieldname) {
    const { req: { files }, shape } = this
    if (shape === 'array') return files
    return shape === 'object' ? files?.[fieldname] : undefined
  }
}

module.exports = { RouteFiles, createRoute }
